// Light or dark: as the device says, unless the person chose. The choice stays on this device.
const KEY = 'cowrie-theme'
export const THEMES = ['device', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export function themeChosen(): Theme {
  try {
    const kept = localStorage.getItem(KEY)
    return THEMES.find((theme) => theme === kept) ?? 'device'
  } catch {
    return 'device' // a browser that keeps nothing
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'device') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.setAttribute('data-theme', theme)
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Then it lasts as long as the page.
  }
}
