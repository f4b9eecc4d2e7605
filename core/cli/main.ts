#!/usr/bin/env bun
import { systemTerminal } from './print/terminal'
import { partCommand } from './start/part-commands'

const words = process.argv.slice(2)
const { env } = process

process.exit(await (words[0] === 'start' ? start() : runCommand()))

/** The supervisor itself loads no plugins. The processes that it starts do. */
async function start(): Promise<number> {
  const { runStart } = await import('./start/start')
  return runStart(words.slice(1), { env, command: partCommand }, systemTerminal())
}

async function runCommand(): Promise<number> {
  const { runCli } = await import('./program')
  const { builtin } = await import('../../plugins')
  const loadIngest = async () => (await import('../../ingest')).createIngest
  return runCli(words, { builtin, loadIngest, env, workingFolder: process.cwd() }, systemTerminal())
}
