import { join } from 'node:path'
import { minuteMs } from 'renown'
import * as v from 'valibot'
import type { Work } from './child'
import type { CompiledPdf } from './compile'
import { assertFits } from './layout-size'
import { watchProcess } from './watch-process'

/** A report to render. */
export interface RenderOrder {
  readonly report_id: string
  readonly token: string
  /** Returns the texts of the report if the token is valid, otherwise null. */
  open(order: { readonly report_id: string; readonly token: string }): Promise<Work | null>
  readonly signal: AbortSignal
  /** The program of the process. Default: the renderer. */
  readonly program?: string
  readonly limits?: Partial<RenderLimits>
}

/** What a renderer may use. */
export interface RenderLimits {
  readonly timeMs: number
  /** Resident memory of the process. */
  readonly memoryBytes: number
  readonly pdfBytes: number
}

/** A report of 60 pages needs about 150 MB, most of it for the program itself. */
export const renderLimits: RenderLimits = {
  timeMs: minuteMs,
  memoryBytes: 256 * 1024 * 1024,
  pdfBytes: 50 * 1024 * 1024,
}

/** Maximum length of what the process says about a failure, in bytes. */
const errorBytesMax = 64 * 1024

/** A PDF, and what its process used. */
export interface RenderedPdf extends CompiledPdf {
  readonly used: { readonly cpuMs: number; readonly peakBytes: number }
}

const orderForm = v.strictObject({ report_id: v.string(), token: v.string() })
const head = v.strictObject({
  standard: v.picklist(['ua-1', '1.7']),
  pages: v.pipe(v.number(), v.integer()),
  length: v.pipe(v.number(), v.integer()),
})

/**
 * Renders a PDF in a process of its own. The process is ended after a minute, or if it needs too much memory. Throws if
 * it does not return a whole PDF.
 */
export async function renderPdf({
  report_id,
  token,
  open,
  signal,
  ...given
}: RenderOrder): Promise<RenderedPdf> {
  signal.throwIfAborted()
  const limits = { ...renderLimits, ...given.limits }
  let isAsked = false
  let refused: { readonly error: unknown } | null = null as { readonly error: unknown } | null
  const child = Bun.spawn([process.execPath, given.program ?? join(import.meta.dir, 'child.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: '/usr/bin:/bin' },
    serialization: 'json',
    async ipc(message, sender) {
      if (isAsked) return
      isAsked = true
      const order = v.safeParse(orderForm, message)
      try {
        const work = order.success ? await open(order.output) : null
        if (work === null) return watch.stop('its token was refused')
        assertFits(work.model)
        sender.send(work)
      } catch (error) {
        refused = { error }
        watch.stop('its report was refused')
      }
    },
  })
  const watch = watchProcess(child, { ...limits, signal })
  try {
    child.stdin.write(JSON.stringify({ report_id, token }))
    // A process that ended at once does not read it. Its exit code says so.
    await Promise.resolve(child.stdin.end()).catch(() => {})
    const [bytes, error, code] = await Promise.all([
      readUpTo(child.stdout, limits.pdfBytes, () => watch.stop('its PDF is too large')),
      readUpTo(child.stderr, errorBytesMax, () => watch.stop('it wrote too many errors')),
      child.exited,
    ])
    if (refused !== null) throw refused.error
    if (watch.reason !== null) throw new Error(`Rendering the PDF was ended: ${watch.reason}.`)
    if (code !== 0) throw new Error(`Rendering the PDF failed: ${whyOf(error, code)}`)
    return { ...pdfIn(bytes), used: { cpuMs: cpuMsOf(child), peakBytes: watch.peakBytes } }
  } finally {
    watch.end()
  }
}

const whyOf = (error: Buffer, code: number | null) =>
  error.toString().trim().slice(-300) || `the process ended with code ${code}.`

const cpuMsOf = (child: Bun.Subprocess) => Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000

/** Reads a stream to its end, up to a limit. */
async function readUpTo(
  stream: ReadableStream<Uint8Array>,
  bytesMax: number,
  onTooLarge: () => void,
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of stream) {
    length += part.length
    if (length > bytesMax) {
      onTooLarge()
      break
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Reads what the process wrote: a line about the PDF, and the PDF. */
function pdfIn(answer: Buffer): CompiledPdf {
  const end = answer.indexOf(0x0a)
  const about = v.safeParse(
    v.pipe(v.string(), v.parseJson(), head),
    answer.toString('utf8', 0, Math.max(0, end)),
  )
  const bytes = answer.subarray(end + 1)
  const isWhole =
    about.success &&
    bytes.length === about.output.length &&
    bytes.toString('latin1', 0, 5) === '%PDF-' &&
    bytes
      .toString('latin1', bytes.length - 8)
      .trimEnd()
      .endsWith('%%EOF')
  if (!isWhole) throw new Error('Rendering the PDF failed: the renderer returned no whole PDF.')
  const { standard, pages } = about.output
  return { bytes, standard, pages }
}
