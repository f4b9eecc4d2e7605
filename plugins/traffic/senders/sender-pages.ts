import { type MarkdownPage, markdownOf } from './markdown'

/** Systems and hosts without a shell. Their pages in `senders/builders/` say what can be counted there, and how. */
export const builderPages: readonly string[] = [
  'shopify',
  'wix',
  'squarespace',
  'webflow',
  'wordpress-com',
  'kinsta',
  'wp-engine',
  'web-hosts',
]

/** Log senders by kind, each as the name of its page in `senders/`. */
export const senderGroups: readonly { readonly label: string; readonly pages: readonly string[] }[] = [
  { label: 'Website builders and hosts', pages: ['wordpress', ...builderPages] },
  {
    label: 'Web servers',
    pages: ['nginx', 'apache', 'caddy', 'haproxy', 'traefik', 'lighttpd', 'varnish', 'envoy', 'iis'],
  },
  { label: 'Forwarders', pages: ['syslog-ng', 'rsyslog', 'vector', 'fluent-bit'] },
  {
    label: 'Apps and frameworks',
    pages: ['nextjs', 'express', 'fastify', 'hono', 'django', 'rails', 'laravel'],
  },
  { label: 'Edge platforms', pages: ['cloudflare-worker', 'vercel-middleware', 'netlify-edge'] },
  { label: 'Services', pages: ['cloudflare', 'vercel', 'netlify', 'cloudfront', 'fastly', 'akamai'] },
  {
    label: 'Clouds',
    pages: ['aws-load-balancer', 's3', 'aws-files', 'amplify', 'google-cloud', 'azure'],
  },
  { label: 'Containers', pages: ['docker', 'kubernetes', 'ingress-nginx'] },
  {
    label: 'Log services',
    pages: ['opentelemetry', 'loki', 'splunk-hec', 'cloudwatch', 'logstash'],
  },
  { label: 'Others', pages: ['known-agents'] },
]

/** Returns a set-up page with its placeholders, or null for an unknown sender. */
export async function senderPage(page: string): Promise<MarkdownPage | null> {
  if (!pages.has(page)) return null
  const known = read.get(page) ?? readPage(page)
  read.set(page, known)
  return known
}

/** The senders with their titles, by kind. */
export const senderTitles = () =>
  Promise.all(
    senderGroups.map(async ({ label, pages }) => ({
      label,
      senders: await Promise.all(
        pages.map(async (page) => ({ page, title: (await senderPage(page))?.title ?? page })),
      ),
    })),
  )

const pages = new Set(senderGroups.flatMap((group) => group.pages))
const builders = new Set(builderPages)
const read = new Map<string, Promise<MarkdownPage>>()

const readPage = async (page: string) =>
  markdownOf(
    await Bun.file(new URL(`./${builders.has(page) ? 'builders/' : ''}${page}.md`, import.meta.url)).text(),
  )
