import { describe, expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from '../core/contracts/settings'
import { shippedRegistry } from './support/shipped'

const root = join(import.meta.dir, '..')
type Json = Record<string, unknown>

interface Service {
  readonly image?: string
  readonly build?: { readonly dockerfile: string }
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly read_only?: boolean
  readonly init?: boolean
  readonly tmpfs?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly restart?: string
  readonly stop_grace_period?: string
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean }
  readonly extends?: { readonly file: string; readonly service: string }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

/** Reads a file as Compose does: with the keys that an alias merges. */
const composeOf = async (file: string) =>
  merged(Bun.YAML.parse(await Bun.file(join(root, file)).text())) as Compose

function merged(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(merged)
  if (value === null || typeof value !== 'object') return value
  const { '<<': base, ...own } = value as Json
  const all = base === undefined ? own : { ...(base as Json), ...own }
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, merged(one)]))
}

const one = await composeOf('compose.yaml')
const several = await composeOf('compose.several.yaml')
const container = await Bun.file(join(root, 'Containerfile')).text()
const known = new Set([...Object.keys(settings), ...shippedRegistry().settings.keys()])

const resolved = (compose: Compose) =>
  Object.entries(compose.services).map(([name, service]) => {
    const base = service.extends ? one.services[service.extends.service] : undefined
    expect(service.extends === undefined || base !== undefined).toBe(true)
    return [name, { ...base, ...service }] as const
  })

describe.each([
  ['compose.yaml', one],
  ['compose.several.yaml', several],
])('%s', (_, compose) => {
  const services = resolved(compose)
  const ours = services.filter(([, { image }]) => image?.startsWith('renown:'))
  const running = services.filter(([name]) => name !== 'passwords')

  test('pins every image to a version, ours to that of the package', async () => {
    const { version } = await Bun.file(join(root, 'package.json')).json()
    for (const [name, { image }] of services) {
      expect([name, image]).toEqual([name, expect.stringMatching(/^[\w./-]+:\d+(?:\.\d+)+$/)])
      if (image?.startsWith('renown:')) expect([name, image]).toEqual([name, `renown:${version}`])
    }
  })

  test('starts what ends, looks after it, and gives it time to end', () => {
    for (const [name, { restart, healthcheck, stop_grace_period: grace = '0s' }] of running) {
      expect([name, restart]).toEqual([name, 'unless-stopped'])
      expect([name, (healthcheck?.test?.length ?? 0) > 1]).toEqual([name, true])
      expect([name, Number(/^(\d+)s$/.exec(grace)?.[1]) >= 15]).toEqual([name, true])
    }
  })

  test('runs our processes without a shell, root, rights or a system that they can write to', () => {
    expect(ours.length).toBeGreaterThan(1)
    for (const [name, service] of ours) {
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ['ALL']])
      expect([name, service.command?.[0]]).toEqual([
        name,
        expect.stringMatching(/^(?:core|ingest|operations)\/[\w-]+\.ts$/),
      ])
      expect(existsSync(join(root, service.command?.[0] ?? ''))).toBe(true)
      if (name === 'passwords') continue
      expect([name, service.init, service.tmpfs]).toEqual([name, true, ['/tmp']])
    }
    expect(container).toMatch(/^USER 1000:1000$/m)
    expect(container).toMatch(/^ENTRYPOINT \["bun"\]$/m)
  })

  test('has volumes of its own for all that is written, and none inside what is mounted to be read', () => {
    for (const [name, { volumes = [] }] of services) {
      const mounts = volumes.map((volume) => {
        const [from = '', to = '', mode = 'rw'] = volume.split(':')
        return { from, to, mode }
      })
      for (const { from, to } of mounts) {
        if (from.startsWith('./')) expect([from, statSync(join(root, from)).isFile()]).toEqual([from, true])
        else expect([name, from, from in compose.volumes]).toEqual([name, from, true])
        const around = mounts.filter((other) => to !== other.to && to.startsWith(`${other.to}/`))
        expect([name, to, around.filter(({ mode }) => mode === 'ro')]).toEqual([name, to, []])
      }
      expect(new Set(mounts.map(({ to }) => to)).size).toBe(mounts.length)
    }
  })

  test('gives each process a data folder that no other has', () => {
    const folders = ours.flatMap(([, { volumes = [] }]) =>
      volumes.filter((volume) => volume.endsWith(':/data')),
    )
    expect(new Set(folders).size).toBe(folders.length)
    expect(folders.length).toBe(ours.length - 1)
  })

  test('publishes ports on this machine only', () => {
    const ports = services.flatMap(([, { ports: all = [] }]) => all)
    expect(ports).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:3001:3001'])
  })

  test('names settings that exist, and every secret by a file', () => {
    for (const [name, { environment = {} }] of ours)
      for (const [setting, value] of Object.entries(environment)) {
        const plain = setting.replace(/_FILE$/, '')
        expect([name, setting, known.has(plain)]).toEqual([name, setting, true])
        if (/KEY|SECRET|URI|CLICKHOUSE_URL|PASSWORD|TOKEN/.test(setting))
          expect([name, setting, value]).toEqual([
            name,
            expect.stringMatching(/_FILE$/),
            expect.stringMatching(/^\/keys\//),
          ])
      }
  })

  test('waits for services that it has', () => {
    for (const [name, { depends_on = {} }] of services)
      for (const other of Object.keys(depends_on))
        expect([name, other in compose.services]).toEqual([name, true])
  })
})

test('the image gets every folder that a process imports', () => {
  const copied = [...container.matchAll(/^COPY (\w+) \1$/gm)].map(([, folder]) => folder)
  expect(copied).toEqual(['core', 'ingest', 'plugins', 'ship', 'skills', 'docs'])
  for (const [, file = ''] of container.matchAll(/(?<=\s)(operations\/[\w-]+\.ts)/g))
    expect([file, existsSync(join(root, file))]).toEqual([file, true])
})
