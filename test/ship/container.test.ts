import { afterEach, beforeEach, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterLastRecord, containerLog, programOutput } from '../../ship/container'
import { drain, type ShipWorld, shipWorld } from './world'

let world: ShipWorld
beforeEach(() => {
  world = shipWorld()
})
afterEach(() => world.stop())

const record = (log: string) => `${JSON.stringify({ log, stream: 'stdout', time: '2026-11-23T10:00:00Z' })}\n`

test('what a container wrote is sent, with long lines put together and others as they are', async () => {
  writeFileSync(
    world.log,
    [record('one\n'), record('t'), record('wo\n'), 'no record\n', record('thr')].join(''),
  )
  const source = world.follow({ cut: afterLastRecord, unwrap: programOutput })
  expect(await drain(source)).toEqual(['one', 'two', 'no record'])
  appendFileSync(world.log, record('ee\n'))
  expect(await drain(source)).toEqual(['three'])
  await source.close()
})

test('a container is found by its name or the beginning of its id', () => {
  const old = 'a'.repeat(64)
  const id = 'b'.repeat(64)
  for (const one of [old, id]) {
    mkdirSync(join(world.folder, one))
    writeFileSync(join(world.folder, one, 'config.v2.json'), JSON.stringify({ Name: '/web' }))
  }
  const path = join(world.folder, id, `${id}-json.log`)
  writeFileSync(path, '')
  expect(containerLog('web', world.folder)).toBe(path)
  expect(containerLog('bbbbbbbb', world.folder)).toBe(path)
  expect(() => containerLog('db', world.folder)).toThrow('No container db')
  expect(() => containerLog('b', world.folder)).toThrow('No container b')
})
