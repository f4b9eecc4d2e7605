import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { batchBytesMax } from '../../ship/position'
import { drain, type ShipWorld, shipWorld } from './world'

let world: ShipWorld
beforeEach(() => {
  world = shipWorld()
})
afterEach(() => world.stop())

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`)
const write = (from: number, to: number, path = world.log) =>
  appendFileSync(path, `${lines(from, to).join('\n')}\n`)

/** What happens to a log between two reads, and the lines that are in no file afterwards. */
const rotations: Readonly<Record<string, () => void>> = {
  'is renamed, and made anew': () => {
    renameSync(world.log, `${world.log}.1`)
    write(11, 20)
  },
  'is renamed while its program still writes into it': () => {
    renameSync(world.log, `${world.log}.1`)
    write(11, 13, `${world.log}.1`)
    write(14, 20)
  },
  'is renamed with a date before its ending': () => {
    renameSync(world.log, `${world.folder}/access-20261123.log`)
    write(11, 20)
  },
  'is copied and emptied': () => {
    write(11, 15)
    copyFileSync(world.log, `${world.log}.1`)
    truncateSync(world.log, 0)
    write(16, 20)
  },
  'is copied, emptied, and longer than before at once': () => {
    write(11, 12)
    copyFileSync(world.log, `${world.log}.1`)
    truncateSync(world.log, 0)
    write(13, 20)
    write(21, 40)
  },
}
const lastLine: Readonly<Record<string, number>> = {
  'is copied, emptied, and longer than before at once': 40,
}

describe('each line is sent once when the log', () => {
  describe.each(Object.entries(rotations))('%s', (name, rotate) => {
    const all = lines(1, lastLine[name] ?? 20)
    test('while it is followed', async () => {
      write(1, 10)
      const source = world.follow()
      const sent = await drain(source)
      rotate()
      sent.push(...(await drain(source)))
      expect(sent.toSorted()).toEqual(all.toSorted())
      expect(world.warnings).toEqual([])
      await source.close()
    })

    test('while nothing runs', async () => {
      write(1, 10)
      const source = world.follow()
      const sent = await drain(source)
      await source.close()
      world.reopen()
      rotate()
      const again = world.follow()
      sent.push(...(await drain(again)))
      expect(sent.toSorted()).toEqual(all.toSorted())
      expect(world.warnings).toEqual([])
      await again.close()
    })

    test('while a batch was being sent, which is sent again with its key and its bytes', async () => {
      write(1, 10)
      const source = world.follow()
      const batch = await source.next()
      batch?.begin()
      const body = Buffer.from(batch?.body ?? []).toString()
      await source.close()
      world.reopen()
      rotate()
      const again = world.follow()
      const resent = await again.next()
      expect([resent?.key, Buffer.from(resent?.body ?? []).toString()]).toEqual([batch?.key, body])
      resent?.begin()
      resent?.accepted()
      expect([...lines(1, 10), ...(await drain(again))].toSorted()).toEqual(all.toSorted())
      await again.close()
    })
  })

  test('is copied and emptied before anybody has seen it', async () => {
    write(1, 10)
    const source = world.follow()
    const sent = await drain(source)
    renameSync(world.log, `${world.log}.2`)
    write(11, 15)
    copyFileSync(world.log, `${world.log}.1`)
    truncateSync(world.log, 0)
    write(16, 20)
    sent.push(...(await drain(source)))
    expect(sent.toSorted()).toEqual(lines(1, 20).toSorted())
    await source.close()
  })

  test('is copied by somebody who does not empty it', async () => {
    write(1, 10)
    const source = world.follow()
    const sent = await drain(source)
    copyFileSync(world.log, `${world.log}.bak`)
    sent.push(...(await drain(source)))
    renameSync(world.log, `${world.log}.1`)
    write(11, 20)
    copyFileSync(world.log, `${world.log}.new`)
    sent.push(...(await drain(source)), ...(await drain(source)))
    expect(sent).toEqual(lines(1, 20))
    await source.close()
  })

  test('is rotated several times while it is followed, between two looks', async () => {
    write(1, 10)
    const source = world.follow()
    const sent = await drain(source)
    renameSync(world.log, `${world.log}.3`)
    write(11, 12)
    renameSync(world.log, `${world.log}.2`)
    write(13, 14)
    renameSync(world.log, `${world.log}.1`)
    write(15, 20)
    sent.push(...(await drain(source)))
    expect(sent.toSorted()).toEqual(lines(1, 20).toSorted())
    await source.close()
  })

  test('is rotated several times while nothing runs', async () => {
    write(1, 10)
    const source = world.follow()
    const sent = await drain(source)
    await source.close()
    renameSync(world.log, `${world.log}.3`)
    write(11, 12, `${world.log}.2`)
    write(13, 14, `${world.log}.1`)
    write(15, 20)
    for (const [n, path] of [`${world.log}.2`, `${world.log}.1`].entries())
      utimesSync(path, 1_900_000_000 + n, 1_900_000_000 + n)
    const again = world.follow()
    sent.push(...(await drain(again)))
    expect(sent).toEqual(lines(1, 20))
    await again.close()
  })
})

test('a part of a line waits for its end', async () => {
  writeFileSync(world.log, 'one\ntw')
  const source = world.follow()
  expect(await drain(source)).toEqual(['one'])
  appendFileSync(world.log, 'o\n')
  expect(await drain(source)).toEqual(['two'])
  await source.close()
})

test('the last line of a rotated log is sent without an end, once nothing writes there any more', async () => {
  writeFileSync(world.log, 'one\ntwo')
  const source = world.follow()
  expect(await drain(source)).toEqual(['one'])
  renameSync(world.log, `${world.log}.1`)
  writeFileSync(world.log, 'three\n')
  expect(await drain(source)).toEqual(['three'])
  world.now += 60_000
  expect(await drain(source)).toEqual(['two'])
  await source.close()
})

test('a log that is followed for the first time is sent from its end, at the beginning of a line', async () => {
  writeFileSync(world.log, 'old\nhal')
  const source = world.follow({ fromStart: false })
  expect(await drain(source)).toEqual([])
  appendFileSync(world.log, 'f\nnew\n')
  expect(await drain(source)).toEqual(['half', 'new'])
  rmSync(world.log)
  world.now += 60_000
  expect(await drain(source)).toEqual([])
  writeFileSync(world.log, 'after\n')
  expect(await drain(source)).toEqual(['after'])
  await source.close()
})

test('a line that is longer than a batch does not stop what follows', async () => {
  writeFileSync(world.log, `${'x'.repeat(batchBytesMax + 5)}\nafter\n`)
  const source = world.follow()
  const sent = await drain(source)
  expect([sent.length, sent.at(-1)]).toEqual([3, 'after'])
  await source.close()
})

test('keys differ by part and by content, also when a log is emptied and written alike', async () => {
  const keys: string[] = []
  const source = world.follow()
  write(1, 10)
  await drain(source, keys)
  truncateSync(world.log, 0)
  await drain(source, keys)
  write(1, 10)
  expect(await drain(source, keys)).toEqual(lines(1, 10))
  expect(new Set(keys).size).toBe(2)
  await source.close()
})

test('says so when the lines that were being sent are in no file any more', async () => {
  write(1, 10)
  const source = world.follow()
  const batch = await source.next()
  batch?.begin()
  await source.close()
  rmSync(world.log)
  write(11, 20)
  const again = world.follow()
  expect(await drain(again)).toEqual(lines(11, 20))
  expect(world.warnings.join()).toContain('delaycompress')
  await again.close()
})

/** What happens to a log while nothing runs, and what is said of lines. Null: nothing, because nothing is lost. */
const gaps: Readonly<Record<string, readonly [() => void, string | null]>> = {
  'was compressed after all of it was sent': [() => zip('access.log.1.gz'), null],
  'was compressed under a name with its day': [() => zip('access.log-20261128.gz'), null],
  'was compressed after more was written': [
    () => {
      write(11, 20)
      zip('access.log.1.gz')
    },
    'is only in',
  ],
  'was compressed beside older ones': [
    () => {
      writeFileSync(`${world.log}.3.gz`, gzipSync(Buffer.from('other')))
      writeFileSync(`${world.log}.2.gz`, 'no gzip')
      zip('access.log.1.gz')
    },
    null,
  ],
  'was emptied': [() => truncateSync(world.log, 0), 'If more was written'],
  'was deleted': [() => rmSync(world.log), 'If more was written'],
}
function zip(name: string) {
  writeFileSync(join(world.folder, name), gzipSync(readFileSync(world.log)))
  rmSync(world.log)
}

test.each(Object.entries(gaps))(
  'a log that %s is not said to have lost lines that were sent',
  async (_, [happens, said]) => {
    write(1, 10)
    const source = world.follow()
    await drain(source)
    await source.close()
    world.reopen()
    happens()
    write(21, 30)
    const again = world.follow()
    expect(await drain(again)).toEqual(lines(21, 30))
    const about = world.warnings.join()
    expect(about).toContain(said ?? '')
    expect(about).not.toContain('lines are lost')
    if (said === null) expect(about).toBe('')
    await again.close()
  },
)

test('a rotated log that was sent to its end and then deleted lost nothing', async () => {
  write(1, 10)
  const source = world.follow()
  await drain(source)
  renameSync(world.log, `${world.log}.1`)
  write(11, 20)
  await drain(source)
  await source.close()
  world.reopen()
  rmSync(`${world.log}.1`)
  const again = world.follow()
  write(21, 30)
  expect(await drain(again)).toEqual(lines(21, 30))
  expect(world.warnings).toEqual([])
  await again.close()
})

test('lines that were seen and not sent are lost when their file is gone', async () => {
  write(1, 10)
  const source = world.follow()
  await drain(source)
  write(11, 15)
  const batch = await source.next()
  write(16, 20)
  batch?.begin()
  batch?.accepted()
  await source.close()
  world.reopen()
  rmSync(world.log)
  write(21, 30)
  const again = world.follow()
  expect(await drain(again)).toEqual(lines(21, 30))
  expect(world.warnings.join()).toMatch(/bytes \d+ to \d+ were not sent .* so their lines are lost/)
  await again.close()
})

test('two processes cannot have one state', () => {
  expect(() => world.open()).toThrow('Another process uses')
})
