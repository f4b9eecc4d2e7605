import { resolve } from 'node:path'
import { afterLastRecord, containerLog, programOutput } from './container'
import { FollowedFile } from './follow-file'
import { Journal } from './journal'
import { type ShipOptions, type ShipProcess, tokenOf, type Wanted } from './options'
import type { LineSource } from './position'
import { ship } from './ship'
import { openState, type ShipState } from './state'

/** Sends what is wanted until a signal ends the process, or with `--once` until everything was sent. */
export async function runShip(
  wanted: Wanted,
  options: ShipOptions,
  { env, now, say }: ShipProcess,
): Promise<void> {
  const { to: url, compress, once } = options
  const token = tokenOf(options, env)
  const state = openState(resolve(options.state))
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.on('SIGTERM', stop).on('SIGINT', stop)
  const warn = (message: string) => say(`${now().toISOString()} ${message}`)
  const sources = sourcesOf(wanted, { state, fromStart: options.fromStart, warn, now })
  try {
    const target = { url, token, compress, signal: stopping.signal, warn }
    const { accepted, ignored, rejected, duplicate } = await ship(sources, target, { once })
    say(
      `${accepted} accepted, ${ignored} ignored, ${rejected} rejected, ${duplicate} sent before. The next run continues here.`,
    )
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop)
    for (const source of sources) await source.close()
    state.close()
  }
}

interface Following {
  readonly state: ShipState
  readonly fromStart: boolean
  readonly warn: (message: string) => void
  readonly now: () => Date
}

function sourcesOf(wanted: Wanted, following: Following): LineSource[] {
  switch (wanted.kind) {
    case 'journald':
      return [new Journal({ ...following, filter: wanted.filter })]
    case 'docker':
      return wanted.containers.map((name) => {
        const log = { cut: afterLastRecord, unwrap: programOutput }
        return new FollowedFile({ ...following, ...log, path: containerLog(name) })
      })
    case 'files':
      return wanted.paths.map((path) => new FollowedFile({ ...following, path: resolve(path) }))
  }
}
