#!/usr/bin/env bun
import { builtin } from '../../plugins'
import { runCli } from './program'
import { systemTerminal } from './terminal'

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
