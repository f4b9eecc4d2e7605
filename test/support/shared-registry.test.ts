import { expect, test } from 'bun:test'
import { definePlugin } from 'renown'
import { sharedRegistry } from './shared-registry'

const plugin = (name: string) => definePlugin({ name, renown: '^1.0.0' })

test('the same plugins have one registry, and a plugin of the same name that is another has its own', () => {
  const a = plugin('a')
  const b = plugin('b')
  const other = plugin('a')
  const registry = sharedRegistry([a, b])
  expect(sharedRegistry([a, b])).toBe(registry)
  expect(sharedRegistry([a])).not.toBe(registry)
  expect(sharedRegistry([other, b])).not.toBe(registry)
})

test('plugins that cannot be loaded together are refused each time', () => {
  const twice = [plugin('a'), plugin('a')]
  for (const _ of [1, 2]) expect(() => sharedRegistry(twice)).toThrow('cannot be loaded together')
})
