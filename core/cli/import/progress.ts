import { painter, type Terminal } from '../print/terminal'

export interface ProgressReport {
  /** Finished share, 0 to 1. Null if the total is unknown. */
  readonly share: number | null
  readonly lines: number
  /** The text next to the bar. */
  readonly note: string
}

export interface Bar {
  show(progress: ProgressReport): void
  clear(): void
}

const redrawMs = 100
const width = 24

/** A progress line on a terminal, redrawn ten times a second. Prints nothing when errors go elsewhere. */
export function progressBar(terminal: Terminal, now: () => number = () => performance.now()): Bar {
  if (!terminal.errIsTerminal) {
    const show = ({ lines, note }: ProgressReport) =>
      terminal.doing?.(`${lines.toLocaleString('en')} lines, ${note}`)
    return { show, clear() {} }
  }
  const paint = painter(true)
  const started = now()
  let first: ProgressReport | null = null
  let drawn = Number.NEGATIVE_INFINITY
  return {
    show(progress) {
      first ??= progress
      if (now() - drawn < redrawMs) return
      drawn = now()
      const seconds = (now() - started) / 1000
      const pace = Math.round((progress.lines - first.lines) / Math.max(seconds, 0.001))
      const parts: Part[] = [
        bar(progress.share, paint),
        plain(`${progress.lines.toLocaleString('en')} lines`),
        plain(`${pace.toLocaleString('en')}/s`),
        plain(eta(first.share, progress.share, seconds)),
        { text: paint('dim', progress.note), width: progress.note.length },
      ]
      terminal.err(`\r\u001b[2K${fitting(parts, terminal.columns)}`)
    },
    clear: () => terminal.err('\r\u001b[2K'),
  }
}

interface Part {
  readonly text: string
  /** Width in columns, without color codes. */
  readonly width: number
}
const plain = (text: string): Part => ({ text, width: text.length })

/** Returns as many parts as fit into a line, because a longer line could not be redrawn. */
function fitting(parts: readonly Part[], columns: number): string {
  let left = columns - 1
  const shown: string[] = []
  for (const { text, width } of parts) {
    if (width === 0) continue
    left -= width + 2
    if (left < -2) break
    shown.push(text)
  }
  return shown.join('  ')
}

function bar(share: number | null, paint: ReturnType<typeof painter>): Part {
  if (share === null) return plain('')
  const full = Math.min(width, Math.round(share * width))
  const percent = `${Math.floor(share * 100)} %`
  const text = `${paint('green', '█'.repeat(full))}${paint('dim', '░'.repeat(width - full))} ${percent}`
  return { text, width: width + 1 + percent.length }
}

function eta(first: number | null, share: number | null, seconds: number): string {
  if (first === null || share === null || share <= first || seconds < 0.5) return ''
  const left = Math.round(((1 - share) * seconds) / (share - first))
  return left < 100 ? `${left} s left` : `${Math.round(left / 60)} min left`
}
