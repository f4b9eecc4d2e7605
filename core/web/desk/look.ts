import { readCookie } from '../../auth/cookies'

/** How this browser shows the pages. It is kept in a cookie, so that the first byte of a page is right already. */
export interface Appearance {
  readonly theme: 'auto' | 'light' | 'dark'
  readonly side: 'wide' | 'icons'
}

/** What a browser without a choice gets. */
export const plainLook: Appearance = { theme: 'auto', side: 'wide' }

export const lookPath = '/app/look'
export const themes = ['auto', 'light', 'dark'] as const
export const sides = ['wide', 'icons'] as const
/** The look that a browser chose earlier. A cookie with other words counts as no choice. */
export function lookOf(request: Request, host: { readonly origin: string }): Appearance {
  const [theme, side] = (readCookie(request, 'look', host) ?? '').split('.')
  return {
    theme: themes.find((each) => each === theme) ?? plainLook.theme,
    side: sides.find((each) => each === side) ?? plainLook.side,
  }
}
