import { type Refusal, refusedField } from 'renown'

/** The largest file of a logo, in bytes. */
export const logoBytesMax = 200_000
/** The shortest and the longest side of a logo, in pixels. */
const sides = { min: 16, max: 2_000 } as const
/** The largest number of pixels. */
export const pixelsMax = 2_000_000

/** A logo that was checked and written again. */
export interface LogoImage {
  readonly type: 'image/png' | 'image/jpeg'
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

/** Returns why a file is not accepted as a logo. */
export const logoFault = (why: string): Refusal => refusedField('logo', why)

/** Returns the sides of a logo. Throws a Refusal if they are too short or too long. */
export function sidesOf(width: number, height: number): { readonly width: number; readonly height: number } {
  const isFine = [width, height].every((side) => side >= sides.min && side <= sides.max)
  if (isFine && width * height <= pixelsMax) return { width, height }
  throw logoFault(
    `The picture has ${width} × ${height} pixels. Each side needs ${sides.min} to ${sides.max} pixels, and both together at most ${pixelsMax / 1_000_000} million.`,
  )
}
