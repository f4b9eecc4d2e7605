import type { Hit } from 'renown/contracts'

/** The fields that a sender can report about a request. */
export type SenderField = Exclude<keyof Hit, 'undated' | 'enveloped' | 'written' | 'ofMany' | 'zoneless'>

/** A program or service that sends its log to the ingest, and which parts of its output were tested. */
export interface Sender {
  /** Its page under `docs/operators/senders`. */
  readonly page: string
  readonly title: string
  /** The path that it posts to. */
  readonly path: string
  /** The tested program with its version. */
  readonly program?: string
  /** Fields that were tested with output of the real program. */
  readonly checked: readonly SenderField[]
  /** Fields known only from documentation. */
  readonly documented: readonly SenderField[]
}

const combined: readonly SenderField[] = ['ts', 'ip', 'method', 'target', 'ua', 'referer', 'status']
const withHost: readonly SenderField[] = [...combined, 'host']
const all: readonly SenderField[] = [...withHost, 'id']
const logs = '/v1/logs'

/** Every sender with a set-up page. `docs/operators/senders/README.md` is generated from this table. */
export const senders: readonly Sender[] = [
  {
    page: 'wordpress',
    title: 'WordPress',
    path: '/v1/hits',
    program: 'WordPress 6.1.9',
    checked: all.filter((field) => field !== 'referer'),
    documented: [],
  },
  { page: 'nginx', title: 'nginx', path: logs, program: 'nginx 1.22.1', checked: all, documented: [] },
  {
    page: 'apache',
    title: 'Apache httpd',
    path: logs,
    program: 'Apache httpd 2.4.71',
    checked: all,
    documented: [],
  },
  { page: 'caddy', title: 'Caddy', path: logs, program: 'Caddy 2.6.2', checked: all, documented: [] },
  {
    page: 'haproxy',
    title: 'HAProxy',
    path: logs,
    program: 'HAProxy 2.6.12',
    checked: all,
    documented: [],
  },
  { page: 'traefik', title: 'Traefik', path: logs, checked: [], documented: withHost },
  {
    page: 'lighttpd',
    title: 'lighttpd',
    path: logs,
    program: 'lighttpd 1.4.69',
    checked: withHost,
    documented: [],
  },
  {
    page: 'varnish',
    title: 'Varnish',
    path: logs,
    program: 'Varnish 7.1.1',
    checked: withHost,
    documented: [],
  },
  { page: 'envoy', title: 'Envoy and Istio', path: logs, checked: [], documented: all },
  { page: 'iis', title: 'IIS', path: logs, checked: [], documented: combined },
  {
    page: 'syslog-ng',
    title: 'syslog-ng',
    path: logs,
    program: 'syslog-ng 3.38.1',
    checked: all,
    documented: [],
  },
  {
    page: 'rsyslog',
    title: 'rsyslog',
    path: logs,
    program: 'sh, curl 7.88 and nginx 1.22.1',
    checked: all,
    documented: [],
  },
  { page: 'vector', title: 'Vector', path: logs, checked: [], documented: combined },
  { page: 'fluent-bit', title: 'Fluent Bit', path: logs, checked: [], documented: combined },
  {
    page: 'cloudflare',
    title: 'Cloudflare Logpush',
    path: `${logs}/cloudflare`,
    checked: [],
    documented: all,
  },
  {
    page: 'cloudflare-worker',
    title: 'Cloudflare Worker',
    path: '/v1/hits',
    checked: [],
    documented: all,
  },
  { page: 'vercel', title: 'Vercel', path: `${logs}/vercel`, checked: [], documented: all },
  {
    page: 'vercel-middleware',
    title: 'Vercel on any plan',
    path: '/v1/hits',
    checked: [],
    documented: all.filter((field) => field !== 'status'),
  },
  { page: 'netlify', title: 'Netlify', path: logs, checked: [], documented: all },
  {
    page: 'netlify-edge',
    title: 'Netlify on any plan',
    path: '/v1/hits',
    checked: [],
    documented: all,
  },
  {
    page: 'cloudfront',
    title: 'Amazon CloudFront by Data Firehose',
    path: `${logs}/firehose`,
    checked: [],
    documented: all,
  },
  { page: 'aws-files', title: 'Log files in Amazon S3', path: logs, checked: [], documented: all },
  {
    page: 'aws-load-balancer',
    title: 'AWS load balancers',
    path: logs,
    checked: [],
    documented: [...combined.filter((field) => field !== 'referer'), 'id'],
  },
  { page: 's3', title: 'Amazon S3 websites', path: logs, checked: [], documented: all },
  { page: 'amplify', title: 'AWS Amplify Hosting', path: logs, checked: [], documented: all },
  { page: 'google-cloud', title: 'Google Cloud', path: logs, checked: [], documented: [...combined, 'id'] },
  { page: 'azure', title: 'Azure', path: logs, checked: [], documented: all },
  { page: 'fastly', title: 'Fastly', path: logs, checked: [], documented: withHost },
  { page: 'akamai', title: 'Akamai DataStream 2', path: logs, checked: [], documented: all },
  {
    page: 'nextjs',
    title: 'Next.js',
    path: '/v1/hits',
    program: 'Next.js 16.4.6',
    checked: all.filter((field) => field !== 'status'),
    documented: [],
  },
  app('express', 'Express', 'Express 5.3.0'),
  app('fastify', 'Fastify', 'Fastify 5.12.8'),
  app('hono', 'Hono', 'Hono 4.13.19 with its Node server 2.1.9'),
  app('django', 'Django', 'Django 3.2.25'),
  app('rails', 'Rails', 'Rails 6.1.7 and Puma 5.6.5'),
  app('laravel', 'Laravel', 'Laravel 8.83.26 and PHP-FPM 8.2'),
  { page: 'docker', title: 'Docker', path: logs, checked: [], documented: combined },
  { page: 'kubernetes', title: 'Kubernetes', path: logs, checked: [], documented: combined },
  {
    page: 'ingress-nginx',
    title: 'Kubernetes ingress-nginx',
    path: logs,
    program: 'nginx 1.22.1 with its log format',
    checked: all,
    documented: [],
  },
  {
    page: 'opentelemetry',
    title: 'OpenTelemetry',
    path: logs,
    program: 'exporters for JavaScript 0.223.1',
    checked: combined,
    documented: [],
  },
  {
    page: 'loki',
    title: 'Loki clients',
    path: '/loki/api/v1/push',
    program: 'winston-loki 6.1.7',
    checked: combined,
    documented: [],
  },
  {
    page: 'splunk-hec',
    title: 'Splunk HEC clients',
    path: '/services/collector/event',
    program: 'splunk-logging 0.11.1',
    checked: combined,
    documented: [],
  },
  {
    page: 'cloudwatch',
    title: 'Amazon CloudWatch Logs',
    path: `${logs}/firehose`,
    checked: [],
    documented: [...combined, 'id'],
  },
  { page: 'logstash', title: 'Logstash', path: logs, checked: [], documented: withHost },
  {
    page: 'known-agents',
    title: 'Clients of Known Agents',
    path: '/visits',
    checked: [],
    documented: withHost.filter((field) => field !== 'ts'),
  },
]

/** A framework whose middleware reports each hit with all fields. */
function app(page: string, title: string, program: string): Sender {
  return { page, title, path: '/v1/hits', program, checked: all, documented: [] }
}
