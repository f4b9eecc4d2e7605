#!/usr/bin/env bun
import { systemTerminal } from './print/terminal'
import { partCommand } from './start/part-commands'

const words = process.argv.slice(2)
const { env } = process

const first = { start, ship }[words[0] ?? ''] ?? runCommand

process.exit(await first())

/** The supervisor itself loads no plugins. The processes that it starts do. */
async function start(): Promise<number> {
  const { runStart } = await import('./start/start')
  return runStart(words.slice(1), { env, command: partCommand }, systemTerminal())
}

/** The shipper is a program of its own: it needs neither settings nor plugins. */
async function ship(): Promise<number> {
  const { shipCommand } = await import('../../ship')
  const now = () => new Date()
  return shipCommand(words.slice(1), { env, now, say: (line) => void process.stderr.write(`${line}\n`) })
}

async function runCommand(): Promise<number> {
  const { runThere } = await import('./there')
  const taken = await runThere(words, env, systemTerminal())
  if ('code' in taken) return taken.code
  const { runCli } = await import('./program')
  const { isLocal } = await import('./local-words')
  // The running product has the plugins. A command that only sends files to it needs none.
  const isLight = taken.isRunning && isLocal(words)
  const builtin = isLight ? [] : (await import('../../plugins')).builtin
  const loadIngest = async () => (await import('../../ingest')).createIngest
  const loadLogReader = async () => (await import('../../ingest')).readLogSample
  return runCli(
    words,
    { builtin, isLight, loadIngest, loadLogReader, env, workingFolder: process.cwd() },
    systemTerminal(),
  )
}
