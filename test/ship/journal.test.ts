import { afterEach, beforeEach, expect, test } from 'bun:test'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Journal } from '../../ship/journal'
import { drain, type ShipWorld, shipWorld } from './world'

let world: ShipWorld
let program = ''
let words = ''
beforeEach(() => {
  world = shipWorld()
  program = join(world.folder, 'journalctl')
  words = join(world.folder, 'words')
  // Prints the entries after a cursor, as journalctl does. A line of the file is an entry.
  writeFileSync(
    program,
    `#!/bin/sh
echo "$@" >> ${words}
after=0; last=
for word in "$@"; do case "$word" in
  --after-cursor=*) after=\${word#--after-cursor=};;
  --lines=1) last=1;;
esac; done
[ -e ${world.folder}/broken ] && { echo 'No journal files were found.' >&2; exit 1; }
n=0; total=$(wc -l < ${world.log})
while IFS= read -r line; do
  n=$((n + 1))
  [ "$n" -le "$after" ] && continue
  [ -n "$last" ] && [ "$n" -lt "$total" ] && continue
  printf '{"__CURSOR":"%s","MESSAGE":%s}\\n' "$n" "$line"
done < ${world.log}
exit 0
`,
  )
  chmodSync(program, 0o755)
})
afterEach(() => world.stop())

const write = (...messages: unknown[]) =>
  writeFileSync(world.log, messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
const open = (fromStart = true) =>
  new Journal({ state: world.state, filter: ['--unit=nginx'], fromStart, program })

test('entries are sent once, on one line each, also if they are bytes', async () => {
  write('one', 'two\nlines', [...Buffer.from('thr\u00fc')], null)
  const source = open()
  expect(await drain(source)).toEqual(['one', 'two lines', 'thrü'])
  expect(await drain(source)).toEqual([])
  write('one', 'two\nlines', 'three', null, 'five')
  expect(await drain(source)).toEqual(['five'])
  expect(readFileSync(words, 'utf8')).toContain('--output=json --output-fields=MESSAGE')
  expect(readFileSync(words, 'utf8')).toContain('--unit=nginx --after-cursor=4')
})

test('what was being sent is sent again with the same key and the same lines, though more was written', async () => {
  write('one', 'two')
  const first = await open().next()
  first?.begin()
  world.reopen()
  write('one', 'two', 'three')
  const source = open()
  const again = await source.next()
  expect([again?.key, again?.body]).toEqual([first?.key, first?.body])
  again?.begin()
  again?.accepted()
  expect(await drain(source)).toEqual(['three'])
})

test('a journal that is followed for the first time is sent from its end', async () => {
  write('old', 'older')
  const source = open(false)
  expect(await drain(source)).toEqual([])
  write('old', 'older', 'new')
  expect(await drain(source)).toEqual(['new'])
})

test('the first entry of a journal that was empty is sent', async () => {
  write()
  const source = open(false)
  expect(await drain(source)).toEqual([])
  write('first')
  expect(await drain(source)).toEqual(['first'])
})

test('a journal that cannot be read is a fault', async () => {
  write('one')
  writeFileSync(join(world.folder, 'broken'), '')
  expect(open().next()).rejects.toThrow('No journal files were found.')
})
