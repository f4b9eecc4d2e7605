import { describe, expect, test } from 'bun:test'
import { metricsText } from '../../../core/contracts/metrics'
import { createGatewayMetrics, streamMetrics } from '../../../core/http/metrics'

const answersOf = ({ read }: ReturnType<typeof createGatewayMetrics>) =>
  metricsText(read())
    .split('\n')
    .filter((line) => line.startsWith('renown_gateway_answers_total{'))

describe('answers of the gateway', () => {
  test.each([
    ['/api/entities/Review', 'entities'],
    ['/api/entities', 'other'],
    ['/x/api/entities/', 'other'],
    ['/api/functions/countRecords', 'functions'],
    ['/api/functions', 'other'],
    ['/x/api/functions/', 'other'],
    ['/api/mcp', 'mcp'],
    ['/api/mcp/', 'mcp'],
    ['/api/mcp/x', 'other'],
    ['/api/mcpx', 'other'],
    ['/app', 'pages'],
    ['/app/', 'pages'],
    ['/app/traffic', 'pages'],
    ['/appx', 'other'],
    ['/x/app/', 'other'],
    ['/oauth/token', 'oauth'],
    ['/oauth', 'other'],
    ['/x/oauth/', 'other'],
    ['/.well-known/oauth-authorization-server', 'oauth'],
    ['/.well-known/oauth', 'other'],
    ['/x/.well-known/oauth-', 'other'],
    ['/internal/upkeep', 'internal'],
    ['/internal', 'other'],
    ['/x/internal/', 'other'],
    ['/healthz', 'other'],
    ['/', 'other'],
  ])('at %s are of the kind %s', (path, kind) => {
    const metrics = createGatewayMetrics()
    metrics.answered(path, 200, 1)
    expect(answersOf(metrics)).toEqual([`renown_gateway_answers_total{kind="${kind}",status="200"} 1`])
  })

  test('are counted by kind and status, and never by path', () => {
    const metrics = createGatewayMetrics()
    expect(answersOf(metrics)).toEqual([])
    for (const path of ['/app/a', '/app/b', '/app/c']) metrics.answered(path, 200, 1)
    metrics.answered('/app/a', 404, 1)
    metrics.answered('/oauth/token', 404, 1)
    expect(answersOf(metrics)).toEqual([
      'renown_gateway_answers_total{kind="pages",status="200"} 3',
      'renown_gateway_answers_total{kind="pages",status="404"} 1',
      'renown_gateway_answers_total{kind="oauth",status="404"} 1',
    ])
  })

  test('are timed in seconds, from 5 ms to 5 s', () => {
    const metrics = createGatewayMetrics()
    for (const ms of [4, 5, 6, 240, 4_999, 60_000]) metrics.answered('/', 200, ms)
    const lines = metricsText(metrics.read()).split('\n')
    expect(lines.filter((line) => line.startsWith('renown_gateway_seconds'))).toEqual([
      ...[
        ['0.005', 2],
        ['0.01', 3],
        ['0.025', 3],
        ['0.05', 3],
        ['0.1', 3],
        ['0.25', 4],
        ['0.5', 4],
        ['1', 4],
        ['2.5', 4],
        ['5', 5],
        ['+Inf', 6],
      ].map(([le, count]) => `renown_gateway_seconds_bucket{le="${le}"} ${count}`),
      'renown_gateway_seconds_sum 65.254',
      'renown_gateway_seconds_count 6',
    ])
    expect(lines).toContain('# TYPE renown_gateway_seconds histogram')
    expect(lines).toContain('# TYPE renown_gateway_answers_total counter')
    expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true)
  })
})

test('streams are shown as open, allowed, refused and ended', () => {
  const lines = metricsText(streamMetrics({ open: 3, max: 9, ended: 2, refused: 5 })).split('\n')
  expect(lines.filter((line) => !line.startsWith('# HELP'))).toEqual([
    '# TYPE renown_gateway_streams_open gauge',
    'renown_gateway_streams_open 3',
    '# TYPE renown_gateway_streams_max gauge',
    'renown_gateway_streams_max 9',
    '# TYPE renown_gateway_streams_stopped_total counter',
    'renown_gateway_streams_stopped_total{why="refused"} 5',
    'renown_gateway_streams_stopped_total{why="ended"} 2',
    '',
  ])
})
