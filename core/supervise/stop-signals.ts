import { readFileSync } from 'node:fs'

/** Calls `stop` for TERM, INT and HUP. Each may come more than once: under npx, Ctrl-C arrives twice. */
export function onStopSignals(stop: (because: string) => void): void {
  const signals = ['SIGTERM', 'SIGINT', ...(isHangupIgnored() ? [] : ['SIGHUP'])]
  for (const signal of signals) process.on(signal, () => stop(signal))
}

/** Whether SIGHUP is ignored, as under `nohup`. A handler would undo that. */
function isHangupIgnored(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return ignored === undefined || (Number.parseInt(ignored.slice(-2), 16) & 1) === 1
  } catch {
    return true
  }
}
