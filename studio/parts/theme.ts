/** Light, dark, strong contrast (light or dark as the system is set), or all as the system is set. */
export const THEMES = ['system', 'light', 'dark', 'contrast'] as const
export type Theme = (typeof THEMES)[number]

export const THEME_NAMES: Record<Theme, string> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
  contrast: 'Strong contrast',
}

const KEY = 'sluice.theme'

export function storedTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  showTheme(theme)
}

export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
