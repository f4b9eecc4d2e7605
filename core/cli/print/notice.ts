import { harmless, type Terminal } from './terminal'

/** How often the notice is looked at, in milliseconds. */
const lookEveryMs = 100
/** On a terminal, the notice is drawn again after this time. */
const redrawMs = 1_000

/** Says that a command goes on, for as long as it prints nothing itself. */
export interface Notice {
  /** The terminal for everything that the command prints. */
  readonly terminal: Terminal
  end(): void
}

/**
 * Starts a notice, if the terminal wants one. On a terminal it is one line that goes away. Elsewhere each line stays, and the
 * pauses between them double. The time is that since the start of the process, because that is what a person waits for.
 */
export function startNotice(terminal: Terminal, now: () => number = () => performance.now()): Notice {
  const { noticeAfterMs } = terminal
  if (noticeAfterMs === undefined) return { terminal, end() {} }
  let doing = ''
  let isDrawn = false
  let dueAt = noticeAfterMs
  let pauseMs = redrawMs
  const clear = () => {
    if (isDrawn) terminal.err('\r\u001b[2K')
    isDrawn = false
  }
  const spoke = () => {
    clear()
    dueAt = Math.max(dueAt, now() + redrawMs)
  }
  const look = () => {
    const at = now()
    if (at < dueAt) return
    const text = `Working for ${Math.max(1, Math.round(at / 1_000))} s${doing === '' ? '' : `: ${harmless(doing)}`}`
    if (terminal.errIsTerminal) {
      terminal.err(`\r\u001b[2K${text.slice(0, Math.max(20, terminal.columns - 1))}`)
      isDrawn = true
      dueAt = at + redrawMs
      return
    }
    terminal.err(`${text}\n`)
    dueAt = at + pauseMs
    pauseMs *= 2
  }
  const timer = setInterval(look, lookEveryMs)
  timer.unref()
  const said = (write: (text: string) => void) => (text: string) => {
    spoke()
    write(text)
  }
  return {
    terminal: {
      ...terminal,
      out: said(terminal.out),
      err: said(terminal.err),
      doing: (text) => {
        doing = text
      },
    },
    end() {
      clearInterval(timer)
      clear()
    },
  }
}
