#!/usr/bin/env bun
import { builtin } from '../../plugins'
import { systemTerminal } from './print/terminal'
import { runCli } from './program'

process.exit(
  await runCli(
    process.argv.slice(2),
    {
      builtin,
      loadIngest: async () => (await import('../../ingest')).createIngest,
      env: process.env,
      workingFolder: process.cwd(),
    },
    systemTerminal(),
  ),
)
