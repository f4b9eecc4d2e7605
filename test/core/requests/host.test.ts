import { expect, test } from 'bun:test'
import { isLoopback } from '../../../core/requests/host'

test.each(['localhost', '127.0.0.1', '127.255.249.199', '127.1.20.99', '[::1]'])('%s is loopback', (name) => {
  expect(isLoopback(name)).toBe(true)
})

test.each([
  '',
  'localhost.',
  'xlocalhost',
  'localhost.example',
  '127.0.0',
  '127.0.0.256',
  '127.0.0.260',
  '127.0.0.300',
  '127.0.0.0001',
  '126.0.0.1',
  '127.0.0.1.1',
  '127.0.0.1x',
  '127x0.0.1',
  '::1',
  '[::2]',
])('%j is not', (name) => {
  expect(isLoopback(name)).toBe(false)
})
