// The setting for smart quotes and dashes on this device. On by default.
const KEY = 'weft.smart-typing';

let isOn = read();

export const isSmartTyping = (): boolean => isOn;

export function setSmartTyping(on: boolean): void {
  isOn = on;
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // Storage is full or blocked: the setting lasts as long as this tab.
  }
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}
