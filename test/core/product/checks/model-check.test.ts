import { expect, test } from 'bun:test'
import type { Model } from '../../../../core/contracts/outbound'
import { ServiceFault } from '../../../../core/contracts/service-fault'
import { modelCheck } from '../../../../core/product/checks/model-check'

const modelThat = (ask: () => Promise<unknown>, isConfigured = true) =>
  ({ isConfigured, generator: 'llm:small', ask }) as unknown as Model

test('a model that answers as needed is ok, and is asked once', async () => {
  let asked = 0
  const model = modelThat(async () => ({ word: `ready${++asked}` }))
  expect(await modelCheck(model)).toMatchObject({
    status: 'ok',
    found: expect.stringContaining('llm:small answers'),
  })
  expect(asked).toBe(1)
})

test('no model is no fault, and is not asked', async () => {
  const model = modelThat(() => Promise.reject(new Error('asked')), false)
  expect(await modelCheck(model)).toMatchObject({
    status: 'ok',
    found: expect.stringContaining('not configured'),
  })
})

test.each([
  ['fail', 'auth', '401', 'LLM_API_KEY'],
  ['fail', 'permanent', 'model_answer', 'cannot answer in JSON'],
  ['warn', 'rate', '429', 'again later'],
  ['warn', 'transient', 'unreadable', 'again later'],
] as const)('%s: a model whose answer is a fault of kind %s', async (status, kind, code, mend) => {
  const model = modelThat(() => Promise.reject(new ServiceFault(kind, 'said so', { code })))
  expect(await modelCheck(model)).toMatchObject({
    status,
    found: 'llm:small: said so',
    mend: expect.stringContaining(mend),
  })
})
