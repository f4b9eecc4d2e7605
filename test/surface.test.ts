import { expect, test } from 'bun:test'
import { surfacePin } from './support/surface-pin'
import pinned from './surface.json'

test('the callable surface is what it was; a change is deliberate (`bun run pin`, and a word in CHANGELOG.md)', () => {
  expect(surfacePin()).toEqual(pinned as unknown as ReturnType<typeof surfacePin>)
})

test('nothing in it can do more than read, draft, queue, set up and mark', () => {
  const classes = Object.values(pinned.operations).map((operation) => operation.class)
  expect([...new Set(classes)].filter((name) => !/^(read|draft|queue|setup|mark)$/.test(name))).toEqual([])
})

test('no secret is a field of it', () => {
  const names = Object.values(pinned.entities).flatMap((entity) => Object.keys(entity.fields))
  expect(
    names.filter((name) => /hash|password|secret|render_token|^ip$|_ip$|forwarder_token$/.test(name)),
  ).toEqual([])
})
