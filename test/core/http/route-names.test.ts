import { expect, test } from 'bun:test'
import { metricsText } from '../../../core/contracts/metrics'
import { createGatewayMetrics, createRouteNames } from '../../../core/http/metrics'

const named = createRouteNames({
  entities: new Map([['Review', {}]]) as never,
  operations: new Map([['getLimits', {}]]) as never,
  pages: new Set(['/app', '/app/reviews']),
})

test.each([
  ['/api/entities/Review', '/api/entities/Review'],
  ['/api/entities/Review/rev_1', '/api/entities/Review/{id}'],
  ['/api/entities/Nothing', 'entities'],
  ['/api/functions/getLimits', '/api/functions/getLimits'],
  ['/api/functions/getLimits/x', 'functions'],
  ['/api/functions/nothing', 'functions'],
  ['/app/w/ws_1/reviews', '/app/reviews'],
  ['/app/w/ws_1', '/app'],
  ['/app/reviews', '/app/reviews'],
  ['/app/w/ws_1/nothing', 'pages'],
  ['/p/reports/secret', 'public'],
  ['/api/mcp', 'mcp'],
  ['/livez', 'other'],
])('the route of %s is %s', (path, name) => {
  expect(named(path)).toBe(name)
})

test('answers are counted and timed by route, and by kind as before', () => {
  const metrics = createGatewayMetrics(named)
  metrics.answered('/app/w/ws_1/reviews', 200, 20)
  metrics.answered('/app/w/ws_2/reviews', 200, 30)
  metrics.answered('/app', 200, 1)
  const lines = metricsText(metrics.read()).split('\n')
  expect(lines.filter((line) => /^renown_gateway_(route|answers)/.test(line))).toEqual([
    'renown_gateway_answers_total{kind="pages",status="200"} 3',
    'renown_gateway_route_answers_total{route="/app/reviews",status="200"} 2',
    'renown_gateway_route_answers_total{route="/app",status="200"} 1',
    'renown_gateway_route_seconds_total{route="/app/reviews",status="200"} 0.05',
    'renown_gateway_route_seconds_total{route="/app",status="200"} 0.001',
  ])
})
