import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { defineOperation, definePlugin } from '../../../core/doors/front'
import { type AgentApp, agentApp } from '../../../core/doors/pages'
import { appFaults } from '../../../core/registry/app-checks'

const operation = (name: string, kind: 'read' | 'draft') =>
  defineOperation({
    name,
    summary: name,
    class: kind,
    crossAgency: 'own',
    input: v.strictObject({}),
    output: v.object({}),
    run: async () => ({}),
  })
const app = (changes: Partial<AgentApp> = {}): AgentApp => ({
  name: 'shelf',
  title: 'Shelf',
  summary: 'A shelf',
  operation: 'countShelves',
  href: '/app/shelf',
  module: new URL('./view.tsx', import.meta.url),
  ...changes,
})
const plugin = (...apps: AgentApp[]) =>
  definePlugin({
    name: 'shelves',
    renown: '^1.0.0',
    operations: [operation('countShelves', 'read'), operation('draftShelf', 'draft')],
    provides: apps.map((one) => agentApp.with(one)),
  })

test('an app shows answers of one reading operation of its own plugin', () => {
  expect(appFaults([plugin(app())])).toEqual([])
  const writing = 'shelves: its app shelf must show an operation of class read of the same plugin'
  expect(appFaults([plugin(app({ operation: 'draftShelf' }))])).toEqual([writing])
  expect(appFaults([plugin(app({ operation: 'whoami' }))])).toEqual([writing])
  const twice = plugin(app(), app({ name: 'second' }))
  expect(appFaults([twice])).toEqual(['shelves: its app second shows countShelves, as shelf does'])
  const script = new URL('./view.js', import.meta.url)
  expect(appFaults([plugin(app({ module: script }))])).toEqual([
    'shelves: module of its app shelf must be a .tsx or .jsx file',
  ])
})
