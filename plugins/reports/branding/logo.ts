import { isJpeg, rewrittenJpeg } from './logo-jpeg'
import { type LogoImage, logoBytesMax, logoFault } from './logo-limits'
import { isPng, rewrittenPng } from './logo-png'

/**
 * Checks a logo by its content and writes it again without anything but its picture. PNG and JPEG are accepted. SVG is
 * not, because mail programs do not show it and because it can contain scripts, styles and links.
 */
export function rewrittenLogo(given: Uint8Array): LogoImage {
  const bytes = Buffer.from(given)
  if (bytes.length > logoBytesMax) throw tooLarge(bytes.length)
  if (!isPng(bytes) && !isJpeg(bytes)) throw logoFault('Choose a PNG or JPEG file. SVG is not accepted.')
  const logo = isPng(bytes) ? rewrittenPng(bytes) : rewrittenJpeg(bytes)
  if (logo.bytes.length > logoBytesMax) throw tooLarge(logo.bytes.length)
  return logo
}

const tooLarge = (bytes: number) =>
  logoFault(`The logo has ${Math.ceil(bytes / 1_000)} KB. At most ${logoBytesMax / 1_000} KB are accepted.`)
