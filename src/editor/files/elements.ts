// Creates plain elements for what is drawn outside React: node views, and what reading views share with them.

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  return created;
}

export function textButton(words: string, run: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'small-button' });
  button.textContent = words;
  button.addEventListener('click', (event) => {
    event.preventDefault();
    run();
  });
  return button;
}
