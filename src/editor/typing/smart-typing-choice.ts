// Whether this device makes typographic quotes and dashes of what is typed. On until a person switches it off.
const KEY = 'weft.smart-typing';

let isOn = read();

export const isSmartTyping = (): boolean => isOn;

export function setSmartTyping(on: boolean): void {
  isOn = on;
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // Full or forbidden: it holds as long as this tab is open.
  }
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}
