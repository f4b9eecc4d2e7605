import { readCookie } from '../../../auth/cookies'
import type { Person } from '../../../auth/sessions'

/** How a page looks. The first byte of a page says it, so that nothing flashes. */
export interface Appearance {
  readonly theme: 'auto' | 'light' | 'dark'
  readonly side: 'wide' | 'icons'
}

/** The appearance of a browser without a choice. */
export const plainLook: Appearance = { theme: 'auto', side: 'wide' }

export const lookPath = '/app/look'
export const themes = ['auto', 'light', 'dark'] as const
export const sides = ['wide', 'icons'] as const

/**
 * Returns the look of a page. The theme belongs to the person and is the same in every browser. The width of the side
 * bar belongs to the screen, so the browser keeps it in a cookie, together with the theme for pages before sign-in. A
 * cookie with other words counts as no choice.
 */
export function lookOf(
  request: Request,
  host: { readonly origin: string },
  person: Pick<Person, 'theme'> | null = null,
): Appearance {
  const [theme, side] = (readCookie(request, 'look', host) ?? '').split('.')
  return {
    theme: person?.theme ?? themes.find((each) => each === theme) ?? plainLook.theme,
    side: sides.find((each) => each === side) ?? plainLook.side,
  }
}
