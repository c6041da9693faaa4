/* Light, dark, or as the system: the button of every page. */
const root = document.documentElement, button = document.querySelector<HTMLButtonElement>('#theme')!;
const names = { auto: 'auto', light: 'light', dark: 'dark' } as const;
type Theme = keyof typeof names;
const order: Theme[] = ['auto', 'light', 'dark'];
function show(): void {
  const theme = root.dataset.theme as Theme;
  button.textContent = { auto: '◐', light: '○', dark: '●' }[theme];
  button.setAttribute('aria-label', `colors: ${names[theme]}`);
}
button.addEventListener('click', () => {
  const next = order[(order.indexOf(root.dataset.theme as Theme) + 1) % order.length]!;
  root.dataset.theme = next;
  localStorage.setItem('theme', next);
  show();
  dispatchEvent(new Event('theme'));
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => dispatchEvent(new Event('theme')));
show();
