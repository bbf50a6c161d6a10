// Contrast as WCAG counts it, and a merchant's colour tamed: the hue stays, chroma is capped, and lightness
// moves until text can be read on it. Colours are `#rrggbb`; in between, OKLab (Ottosson 2020).
export type Tamed = {
  /** Carries white text; button and links on light. */
  readonly band: string
  /** Button and links on dark. */
  readonly night: string
  /** Behind text, a breath of the colour: on light, and on dark. */
  readonly tint: readonly [light: string, dark: string]
}

/** The surface of the dark scheme, on which `night` is read; tokens.css has the same, and a test compares. */
export const DARK_SURFACE = '#141b18'
const WHITE = '#ffffff'

const CHROMA_MAX = 0.15
const BAND = { lightnessMax: 0.5, contrast: 5.5 } as const
const NIGHT = { lightnessMin: 0.6, contrast: 6 } as const
const STEP = 0.01

type Triple = readonly [number, number, number]

const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
const gamma = (c: number): number => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055)
const byteOf = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255
const linearOf = (hex: string): Triple => [linear(byteOf(hex, 1)), linear(byteOf(hex, 3)), linear(byteOf(hex, 5))]

function luminance(hex: string): number {
  const [r, g, b] = linearOf(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function labOf(hex: string): Triple {
  const [r, g, b] = linearOf(hex)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function hexOf([lightness, a, b]: Triple): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const bytes = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((c) => Math.round(255 * Math.min(1, Math.max(0, gamma(c)))))
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** `#rgb` or `#rrggbb` as `#rrggbb`; null for anything else. */
export function hexColour(text: string | null): string | null {
  const hex = text?.trim().toLowerCase() ?? ''
  if (/^#[0-9a-f]{6}$/.test(hex)) return hex
  return /^#[0-9a-f]{3}$/.test(hex) ? hex.replace(/[0-9a-f]/g, '$&$&') : null
}

/** `hex` must be `#rrggbb`. */
export function tame(hex: string): Tamed {
  const [lightness, a, b] = labOf(hex)
  const chroma = Math.hypot(a, b)
  const at = (L: number, most: number): string => {
    const cap = chroma === 0 ? 1 : Math.min(1, most / chroma)
    return hexOf([L, a * cap, b * cap])
  }
  let band = Math.min(lightness, BAND.lightnessMax)
  while (contrast(at(band, CHROMA_MAX), WHITE) < BAND.contrast && band > 0.1) band -= STEP
  let night = Math.max(lightness, NIGHT.lightnessMin)
  while (contrast(at(night, CHROMA_MAX), DARK_SURFACE) < NIGHT.contrast && night < 0.95) night += STEP
  return { band: at(band, CHROMA_MAX), night: at(night, CHROMA_MAX), tint: [at(0.955, 0.016), at(0.255, 0.045)] }
}
