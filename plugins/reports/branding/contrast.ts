import { refusedField } from 'renown'

/** The contrast that WCAG 2.2 AA requires of text (1.4.3). */
const contrastMin = 4.5

/** What a color of a report stands on: the paper of the PDF and the page in light mode, and the card in dark mode. */
export const grounds = { color: '#ffffff', color_dark: '#16191d' } as const
const words = { color: 'white', color_dark: 'the dark background' } as const

/** Returns the contrast of two colors `#rrggbb`, from 1 to 21, as WCAG 2 defines it. */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/**
 * Returns a typed color as `#rrggbb`, or null if nothing was typed. Throws a Refusal if it is not a color, or if people
 * could not read text of this color.
 */
export function readableColor(field: keyof typeof grounds, typed: string): string | null {
  const text = typed.trim().toLowerCase()
  if (text === '') return null
  const [, short, long] = /^#?(?:([0-9a-f]{3})|([0-9a-f]{6}))$/.exec(text) ?? []
  if (short === undefined && long === undefined)
    throw refusedField(field, 'Type a color as six hexadecimal digits, such as #0f766e.')
  const color = `#${long ?? (short ?? '').replaceAll(/./g, '$&$&')}`
  const contrast = contrastOf(color, grounds[field])
  if (contrast >= contrastMin) return color
  // Rounded down, so that the text never says 4.5 of a color that is refused.
  const shown = (Math.floor(contrast * 100) / 100).toFixed(2)
  throw refusedField(
    field,
    `Text in ${color} has a contrast of ${shown}:1 on ${words[field]}. It needs ${contrastMin}:1. Choose a ${field === 'color' ? 'darker' : 'lighter'} color.`,
  )
}
