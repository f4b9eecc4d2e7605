#!/usr/bin/env bun
import { readFileSync } from 'node:fs'
import { prove } from '.'
import { announced } from './checks/writes'
import { readCommandLine } from './options'
import { endOf, linesOf } from './print'

const options = readCommandLine(process.argv.slice(2), process.env, () =>
  readFileSync(0, 'utf8').slice(0, 1_000),
)
if (typeof options === 'string') {
  const isHelp = process.argv.includes('--help')
  process[isHelp ? 'stdout' : 'stderr'].write(`${options}\n`)
  process.exit(isHelp ? 0 : 2)
}
const { isJson, isKeyVisible } = options
const say = (line: string) => void process.stdout.write(`${line}\n`)
const warn = (line: string) => void process.stderr.write(`${line}\n`)
if (isKeyVisible)
  warn('Others on this machine can see a key that is an argument. Use RENOWN_KEY or - instead.')
if (options.allowsWrites) warn(announced)
const report = await prove({
  ...options,
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  sleep: (ms) => Bun.sleep(ms),
  onResult: (result) => {
    if (!isJson) for (const line of linesOf(result)) say(line)
  },
})
if (isJson) say(JSON.stringify(report))
else for (const line of endOf(report)) say(line)
process.exit(report.outcome === 'held' ? 0 : report.outcome === 'broken' ? 1 : 2)
