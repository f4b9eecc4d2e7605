import { describe } from 'bun:test'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AppRoad, copyIntegration } from '../support/app-road'
import { appTests, type StartApp } from '../support/app-suite'
import { packagesFolder } from '../support/clients'
import { testWith } from '../support/needs'
import { findProgram } from '../support/programs'

/** Starts an app of Node with the file of the set-up page beside it. */
const nodeApp =
  (name: string, code: string): StartApp =>
  (road) => {
    prepare(road)
    writeFileSync(join(road.folder, name), code)
    return road.start([findProgram('node') ?? 'node', name])
  }

function prepare({ folder }: AppRoad): void {
  copyIntegration('node/renown.cjs', join(folder, 'renown.cjs'), {
    'delayMs = 1_000': 'delayMs = 50',
    'timeoutMs = 5_000': 'timeoutMs = 2_000',
    'waitMaxMs = 60_000': 'waitMaxMs = 500',
  })
  const packages = join(packagesFolder('frameworks') ?? '', 'node_modules')
  try {
    symlinkSync(packages, join(folder, 'node_modules'))
  } catch {}
}

const apps: Readonly<Record<string, StartApp>> = {
  Express: nodeApp(
    'express.cjs',
    `const app = require('express')()
const { createRenown } = require('./renown.cjs')
const renown = createRenown()
app.use(renown.express)
app.set('trust proxy', 1)
app.get('/page/:n', (req, res) => res.send('page'))
const server = app.listen(0, '127.0.0.1', () => console.log('listening', server.address().port))`,
  ),
  Fastify: nodeApp(
    'fastify.mjs',
    `import fastify from 'fastify'
import { createRenown } from './renown.cjs'
const app = fastify({ trustProxy: '127.0.0.1' })
const renown = createRenown()
app.register(renown.fastify)
app.get('/page/:n', async () => 'page')
await app.listen({ port: 0, host: '127.0.0.1' })
console.log('listening', app.server.address().port)`,
  ),
  Hono: nodeApp(
    'hono.mjs',
    `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createRenown } from './renown.cjs'
const app = new Hono()
const renown = createRenown()
app.use(renown.hono((c) => c.req.header('x-forwarded-for')?.split(',').at(-1).trim()))
app.get('/page/:n', (c) => c.text('page'))
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log('listening', port))`,
  ),
}

// All of them have the same queue, so one goes through the faults each time.
const throughFaults = 'Express'

describe.each(Object.entries(apps))('an app with %s', (name, start) => {
  for (const [title, work] of Object.entries(appTests(start))) {
    const isLong = name !== throughFaults && !title.startsWith('reports')
    testWith('node', 'Express, Fastify and Hono', ...(isLong ? (['a long run'] as const) : []))(
      title,
      work,
      60_000,
    )
  }
})
