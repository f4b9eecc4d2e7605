import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pixelmatch from 'pixelmatch'
import type { CDPSession, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { isWriting } from './golden-mode'
import { smallPng } from './png'
import { type Picture, readPng } from './read-png'

const folder = join(import.meta.dir, '../e2e/golden')
/** What is seen below this is left out: a long list says nothing new. */
const heightMax = 1_400
/** Edges of letters are drawn a little otherwise by every version: so many points may differ, fewer than a word has. */
const pointsMax = 200
/** How far two colours may be apart, from 0 to 1. */
const colourMax = 0.2
const heightMayDiffer = 6

const seen = new Set<string>()
/** Names of the pictures of components begin so. */
export const galleryPrefix = 'gallery-'

/** Golden pictures of pages, or of components, that there are no more; they go when pictures are written. */
export function staleGolden(of: 'pages' | 'components'): readonly string[] {
  const stale = readdirSync(folder)
    .filter((name) => name.startsWith(galleryPrefix) === (of === 'components'))
    .filter((name) => name.endsWith('.png') && !seen.has(name.slice(0, -4)))
  if (!isWriting) return stale
  for (const name of stale) rmSync(join(folder, name))
  return []
}

const sessions = new WeakMap<Page, CDPSession>()
interface Part {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Takes a picture of a part of a page. Chromium packs it for speed, which halves the time: nobody keeps this file. */
async function pictureOf(page: Page, part: Part): Promise<Uint8Array> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    clip: { ...part, scale: 1 },
    captureBeyondViewport: true,
    optimizeForSpeed: true,
  })
  return Buffer.from(data, 'base64')
}

const upperPart = async (page: Page): Promise<Part> => {
  const { width, height } = (await page.evaluate(
    '({ width: innerWidth, height: document.documentElement.scrollHeight })',
  )) as Pick<Part, 'width' | 'height'>
  return { x: 0, y: 0, width, height: Math.min(height, heightMax) }
}

/**
 * Compares what a page looks like with its golden picture, or writes that one. Returns what is wrong. Without a part, it is the upper
 * part of the page.
 */
export async function goldenFault(page: Page, name: string, part?: Part): Promise<string | null> {
  seen.add(name)
  const drawn = readPng(await pictureOf(page, part ?? (await upperPart(page))))
  const file = join(folder, `${name}.png`)
  // Reducing the colours takes most of the time, and is only needed for a picture that is written or looks different.
  if (!isWriting && existsSync(file) && isLike(readPng(readFileSync(file)), drawn)) return null
  const small = smallPng(drawn)
  if (isWriting) {
    mkdirSync(dirname(file), { recursive: true })
    // What differs by no more than is allowed stays as it is, so that only changes are committed.
    if (!existsSync(file) || faultOf(small, file, name)) writeFileSync(file, small)
    return null
  }
  return existsSync(file)
    ? faultOf(small, file, name)
    : `${name}: no golden picture; \`bun run golden\` makes it`
}

function faultOf(taken: Uint8Array, file: string, name: string): string | null {
  const was = readPng(readFileSync(file))
  const is = readPng(taken)
  if (!isOfSize(was, is))
    return `${name}: ${is.width}×${is.height} in place of ${was.width}×${was.height}; see ${kept(taken, name)}`
  const differing = new PNG({ width: was.width, height: Math.min(was.height, is.height) })
  const count = pointsThatDiffer(was, is, differing.data)
  if (count <= pointsMax) return null
  kept(PNG.sync.write(differing), `${name}.differs`)
  return `${name}: ${count} points differ; see ${kept(taken, name)}`
}

const isOfSize = (was: Picture, is: Picture) =>
  was.width === is.width && Math.abs(was.height - is.height) <= heightMayDiffer

/** Whether a picture in all its colours already looks like the golden one. */
const isLike = (was: Picture, is: Picture) => isOfSize(was, is) && pointsThatDiffer(was, is) <= pointsMax

function pointsThatDiffer(was: Picture, is: Picture, drawn?: Uint8Array): number {
  const height = Math.min(was.height, is.height)
  const [a, b] = [was, is].map(({ data, width }) => data.subarray(0, width * height * 4)) as [
    Uint8Array,
    Uint8Array,
  ]
  return pixelmatch(a, b, drawn, was.width, height, { threshold: colourMax })
}

function kept(picture: Uint8Array, name: string): string {
  const file = join(tmpdir(), 'renown-golden', `${name}.png`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, picture)
  return file
}
