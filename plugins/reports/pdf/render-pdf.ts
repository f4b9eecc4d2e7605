import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { minuteMs } from 'renown'
import * as v from 'valibot'
import type { Work } from './child'
import type { CompiledPdf } from './compile'

/** A report to render. */
export interface RenderOrder {
  readonly report_id: string
  readonly token: string
  /** Returns the texts of the report if the token is valid, otherwise null. */
  open(order: { readonly report_id: string; readonly token: string }): Promise<Work | null>
  readonly signal: AbortSignal
}

const timeMaxMs = minuteMs
/** Maximum memory of the process, in bytes. A report of 60 pages needs about half of it. */
const memoryMax = 768 * 1024 * 1024
const bytesMax = 50 * 1024 * 1024

const orderForm = v.strictObject({ report_id: v.string(), token: v.string() })
const head = v.strictObject({
  standard: v.picklist(['ua-1', '1.7']),
  pages: v.pipe(v.number(), v.integer()),
  length: v.pipe(v.number(), v.integer(), v.maxValue(bytesMax)),
})

/**
 * Renders a PDF in a process of its own. The process is ended after a minute, or if it needs too much memory. Throws if
 * it does not return a whole PDF.
 */
export async function renderPdf({ report_id, token, open, signal }: RenderOrder): Promise<CompiledPdf> {
  signal.throwIfAborted()
  const asked = Promise.withResolvers<void>()
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'child.ts')], {
    ...{
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { PATH: '/usr/bin:/bin' },
      serialization: 'json',
    },
    async ipc(message, sender) {
      const order = v.safeParse(orderForm, message)
      const work = order.success ? await open(order.output).catch(() => null) : null
      if (work === null) return asked.reject(new Error('The token of the renderer is not valid.'))
      sender.send(work)
      asked.resolve()
    },
  })
  let stopped: string | undefined
  const stop = (why: string) => {
    stopped ??= why
    child.kill('SIGKILL')
  }
  const abort = () => stop('it was stopped')
  signal.addEventListener('abort', abort)
  const timer = setTimeout(() => stop('it took longer than a minute'), timeMaxMs)
  const watch = setInterval(() => {
    if (memoryOf(child.pid) > memoryMax) stop(`it needed more than ${memoryMax / 1024 / 1024} MB`)
  }, 100)
  asked.promise.catch(() => stop('its token was refused'))
  try {
    child.stdin.write(JSON.stringify({ report_id, token }))
    await child.stdin.end()
    const [bytes, error, code] = await Promise.all([
      readAll(child.stdout, () => stop('its PDF is too large')),
      new Response(child.stderr).text(),
      child.exited,
    ])
    if (stopped !== undefined) throw new Error(`Rendering the PDF was ended: ${stopped}.`)
    if (code !== 0) throw new Error(`Rendering the PDF failed: ${error.trim().slice(-300)}`)
    return pdfIn(bytes)
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    signal.removeEventListener('abort', abort)
    if (child.exitCode === null) child.kill('SIGKILL')
  }
}

/** Reads a stream to its end, up to the limit. */
async function readAll(stream: ReadableStream<Uint8Array>, onTooLarge: () => void): Promise<Buffer> {
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
  const { standard, pages, length } = v.parse(head, JSON.parse(answer.toString('utf8', 0, Math.max(0, end))))
  const bytes = answer.subarray(end + 1)
  if (bytes.length !== length || bytes.toString('latin1', 0, 5) !== '%PDF-') {
    throw new Error('Rendering the PDF returned a part of it.')
  }
  return { bytes, standard, pages }
}

/** Returns the memory of a process in bytes, where the system says it. */
function memoryOf(pid: number): number {
  const path = `/proc/${pid}/statm`
  if (!existsSync(path)) return 0
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[1]) * 4096
  } catch {
    return 0
  }
}
