#!/usr/bin/env bun
import { shipCommand } from '.'

// The shipper alone. `bun run build:ship` makes one file of it, for machines without Bun.
const words = process.argv.slice(2)
const { env } = process
process.exit(
  await shipCommand(words[0] === 'ship' ? words.slice(1) : words, {
    env,
    now: () => new Date(),
    say: (line) => void process.stderr.write(`${line}\n`),
  }),
)
