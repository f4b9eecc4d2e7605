import { expect, test } from 'bun:test'
import { bridgeTo, type MessageWindow } from '../../../../../core/web/framework/agent-apps/host-bridge'

/** A window whose parent is a chat of the test. */
function windowOfTest() {
  const sent: Record<string, unknown>[] = []
  let hear: (event: { source: unknown; data: unknown }) => void = () => {}
  const parent = { postMessage: (message: unknown) => void sent.push(message as Record<string, unknown>) }
  const window: MessageWindow = {
    parent,
    addEventListener: (_, heard) => {
      hear = heard
    },
  }
  const say = (data: unknown, source: unknown = parent) => hear({ source, data })
  return { window, sent, say }
}

test('an app hears only its chat, answers it, and sends what it must', async () => {
  const { window, sent, say } = windowOfTest()
  const heard: unknown[] = []
  const bridge = bridgeTo(window, {
    context: (context) => heard.push(['context', context]),
    input: (args) => heard.push(['input', args]),
    result: (result) => heard.push(['result', result]),
    cancelled: () => heard.push(['cancelled']),
  })
  const started = bridge.start({ name: 'app', version: '1.0.0' })
  expect(sent[0]).toMatchObject({ jsonrpc: '2.0', method: 'ui/initialize' })
  const hostContext = { theme: 'dark' }
  // Another window answers first, and is not heard.
  say({ jsonrpc: '2.0', id: 1, result: { hostContext: { theme: 'light' } } }, {})
  say({ jsonrpc: '2.0', id: 1, result: { hostContext, hostCapabilities: { serverTools: {} } } })
  expect(await started).toEqual({ context: hostContext, capabilities: { serverTools: {} } })
  expect(sent[1]).toMatchObject({ method: 'ui/notifications/initialized' })
  say({ jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { limit: 5 } } })
  say({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { content: [] } })
  say({ jsonrpc: '2.0', method: 'ui/notifications/tool-cancelled' })
  for (const odd of [
    null,
    'x',
    [],
    { method: 'ui/notifications/tool-cancelled' },
    { jsonrpc: '2.0', method: 'x' },
  ])
    say(odd)
  expect(heard).toEqual([['input', { limit: 5 }], ['result', { content: [] }], ['cancelled']])
  say({ jsonrpc: '2.0', id: 'a', method: 'ui/resource-teardown', params: {} })
  say({ jsonrpc: '2.0', id: 'b', method: 'tools/call', params: {} })
  expect(sent.slice(2)).toEqual([
    { jsonrpc: '2.0', id: 'a', result: {} },
    { jsonrpc: '2.0', id: 'b', error: { code: -32601, message: 'Method not found' } },
  ])
  const call = bridge.call('listThings', { limit: 5 })
  say({ jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'not now' } })
  await expect(call).rejects.toThrow('not now')
})
