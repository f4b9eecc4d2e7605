import { join } from 'node:path'
import { minuteMs, type OwnerContext } from 'renown'
import { productState } from 'renown/pages'
import type { BlockOf } from '../blocks/block'
import { chartSvg } from '../charts/chart-svg'
import { watchProcess } from '../pdf/watch-process'

const timeMs = minuteMs / 3
const memoryBytes = 256 * 1024 * 1024
const bytesMax = 1024 * 1024
const keptMax = 8
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47])

/** The last pictures, by their SVG. All recipients of a report get the same one. */
const pictures = productState(() => new Map<string, Promise<Uint8Array>>())

/** Draws a chart as a PNG, because mail programs do not show SVG. Throws if it cannot be drawn. */
export function chartPng(
  ctx: Pick<OwnerContext, 'product'>,
  chart: BlockOf<'chart'>,
  program = join(import.meta.dir, 'png-child.ts'),
): Promise<Uint8Array> {
  const svg = chartSvg(chart, '#374151')
  const kept = pictures(ctx)
  const known = kept.get(svg)
  if (known) return known
  const made = drawPng(svg, program)
  kept.set(svg, made)
  made.catch(() => kept.delete(svg))
  for (const old of [...kept.keys()].slice(0, -keptMax)) kept.delete(old)
  return made
}

/** Draws an SVG in a process of its own, which is ended after 20 seconds or if it needs too much memory. */
async function drawPng(svg: string, program: string): Promise<Uint8Array> {
  const child = Bun.spawn([process.execPath, program], {
    stdin: new Blob([svg]),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: '/usr/bin:/bin' },
  })
  const watched = watchProcess(child, { timeMs, memoryBytes, signal: new AbortController().signal })
  const [bytes, error, code] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ]).finally(watched.end)
  const isPng = code === 0 && bytes.length <= bytesMax && signature.equals(bytes.subarray(0, 4))
  if (!isPng) throw new Error(`Drawing the chart failed: ${watched.reason ?? error.trim().slice(-300)}`)
  return bytes
}
