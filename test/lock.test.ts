import { expect, test } from 'bun:test'
import { join } from 'node:path'

const lock = await Bun.file(join(import.meta.dir, '../bun.lock')).text()
const packages = [...lock.matchAll(/^ {4}"([^"]+)": \["([^"]+)", .*, "(.*)"\],?$/gm)]

test('every package of the lock carries its hash, but for platform packages that could not be had', () => {
  expect(packages.length).toBeGreaterThan(100)
  const bare = packages.filter((entry) => !String(entry[3]).startsWith('sha512-')).map((entry) => entry[1])
  expect(bare).toEqual([
    '@biomejs/cli-darwin-arm64',
    '@biomejs/cli-darwin-x64',
    '@biomejs/cli-linux-arm64-musl',
    '@biomejs/cli-linux-x64-musl',
    '@chdb/lib-darwin-arm64',
    '@chdb/lib-darwin-x64',
    '@chdb/lib-linux-arm64-gnu',
    '@oxc-parser/binding-darwin-arm64',
    '@oxc-parser/binding-darwin-x64',
  ])
})

test('every package of the lock stands at the version that its parent asks for', () => {
  for (const [parent, child] of [
    ['chdb', '@chdb/lib-linux-x64-gnu'],
    ['chdb', '@chdb/lib-linux-arm64-gnu'],
    ['chdb', '@chdb/lib-darwin-arm64'],
    ['chdb', '@chdb/lib-darwin-x64'],
  ] as const) {
    const asked = new RegExp(`^ {4}"${parent}": .*"${child}": "([^"]+)"`, 'm').exec(lock)?.[1]
    expect(packages.find((entry) => entry[1] === child)?.[2]).toBe(`${child}@${asked}`)
  }
})
