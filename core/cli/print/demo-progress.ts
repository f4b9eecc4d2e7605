import { demoCommands } from '../../demo/command-names'
import type { ReportProgress } from '../../demo/create'
import type { Link } from '../link'
import type { Terminal } from './terminal'

type Progress = Parameters<ReportProgress>[0]

/**
 * Returns a function that prints the progress of a demo on one line of the terminal. It prints nothing if
 * errors go to a file.
 */
export function demoProgress(terminal: Pick<Terminal, 'err' | 'errIsTerminal'>): ReportProgress {
  let shown = -1
  return ({ done, total }) => {
    const percent = Math.floor((done / Math.max(1, total)) * 100)
    if (!terminal.errIsTerminal || percent === shown) return
    shown = percent
    terminal.err(`\r  Creating the demo: ${percent} % of ${total.toLocaleString('en')} records`)
    if (done >= total) terminal.err('\n')
  }
}

const lookEveryMs = 300

/** Waits for the command that creates a demo, and prints its progress. */
export async function withDemoProgress<T>(
  answered: Promise<T>,
  link: Pick<Link, 'post'>,
  terminal: Pick<Terminal, 'err' | 'errIsTerminal'>,
): Promise<T> {
  if (!terminal.errIsTerminal) return answered
  const tell = demoProgress(terminal)
  let isOver = false
  const over = answered.then(
    () => 'over' as const,
    () => 'over' as const,
  )
  let last: Progress | null = null
  while (!isOver) {
    isOver = (await Promise.race([over, Bun.sleep(lookEveryMs)])) === 'over'
    const path = `/command?name=${encodeURIComponent(demoCommands.status)}`
    const said = isOver ? null : await link.post<{ state: string } & Progress>(path, {}).catch(() => null)
    if (said?.state === 'creating') {
      last = { done: said.done, total: said.total }
      await tell(last)
    }
  }
  if (last) await tell({ ...last, done: last.total })
  return answered
}
