import { painter, type Terminal } from './terminal'

export interface Progress {
  /** Share done, 0 to 1, or null where the whole is not known. */
  readonly share: number | null
  readonly lines: number
  /** What is said beside the bar. */
  readonly note: string
}

export interface Bar {
  show(progress: Progress): void
  clear(): void
}

const redrawMs = 100
const width = 24

/** One line on a terminal, redrawn ten times a second; nothing where errors go elsewhere. */
export function progressBar(terminal: Terminal, now: () => number = () => performance.now()): Bar {
  if (!terminal.errIsTerminal) return { show() {}, clear() {} }
  const paint = painter(true)
  const started = now()
  let first: Progress | null = null
  let drawn = Number.NEGATIVE_INFINITY
  return {
    show(progress) {
      first ??= progress
      if (now() - drawn < redrawMs) return
      drawn = now()
      const seconds = (now() - started) / 1000
      const pace = Math.round((progress.lines - first.lines) / Math.max(seconds, 0.001))
      const parts = [
        bar(progress.share, paint),
        `${progress.lines.toLocaleString('en')} lines`,
        `${pace.toLocaleString('en')}/s`,
        eta(first.share, progress.share, seconds),
        paint('dim', progress.note),
      ]
      terminal.err(`\r\u001b[2K${parts.filter(Boolean).join('  ')}`)
    },
    clear: () => terminal.err('\r\u001b[2K'),
  }
}

function bar(share: number | null, paint: ReturnType<typeof painter>): string {
  if (share === null) return ''
  const full = Math.min(width, Math.round(share * width))
  return `${paint('green', '█'.repeat(full))}${paint('dim', '░'.repeat(width - full))} ${Math.floor(share * 100)} %`
}

function eta(first: number | null, share: number | null, seconds: number): string {
  if (first === null || share === null || share <= first || seconds < 0.5) return ''
  const left = Math.round(((1 - share) * seconds) / (share - first))
  return left < 100 ? `${left} s left` : `${Math.round(left / 60)} min left`
}
