// Reports requests of AI agents to Renown after Cloudflare has answered them.

const ingest = 'https://ingest.example.com/v1/hits'
// Names of AI agents, and signs of agents that are not known yet. The ingest decides what it counts.
const agents =
  /(?:(?<!cu)bot|crawl|spider|agent|fetch|-user|gpt|claude|compatible;|\+http|aiwebindex|amazon-kendra|amazon-qbusiness|amazon-quick-on-behalf-of|amazonbuyforme|anchor browser|anchorbrowser|anomura|anthropic-ai|bigsur\.ai|cloudflare-autorag|codex-cli|codex_cli|cohere-ai|cotoyogi|devin|gemini-deep-research|geminicli|genspark\.ai|githubcopilotchat|google-firebase|google-gemini-cli|google-gemininotebook|google-notebooklm|google-pinpoint|googleother|grok-deepsearch|img2dataset|laion-huggingface-processor|laiondownloader|lightpanda\/1|linkreader|meta-webindexer|mistralai-index|mistralai-training|modelcontextprotocol|mozilla-tabstack|nooshub|novaact|novellum|omgili|opencode|perplexityuser|poggio-citations|proratainc|semantic-visions\.com|spawning-ai|terracotta|useai|webzio-extended|xai-grok|yandexadditional)/i
/** At most so many hits wait for the ingest at once. Further hits are dropped. */
const waitingMax = 100
let waiting = 0

const isAgent = ({ method, headers }) =>
  (method === 'GET' || method === 'HEAD') &&
  // An agent that signs its requests can have the user agent of a browser.
  (agents.test(headers.get('user-agent') ?? '') || headers.has('signature-agent'))

/** Reports a request, in at most three tries and 30 seconds. It never throws. */
async function report({ url, method, headers }, token, { ip, id, status }) {
  if (!token || waiting >= waitingMax) return
  waiting++
  try {
    const { pathname, search } = new URL(url)
    const body = JSON.stringify({
      // The ingest counts a hit with the same id once.
      id: id || crypto.randomUUID(),
      ts: new Date().toISOString(),
      ip,
      method,
      host: headers.get('host'),
      url: (pathname + search).slice(0, 4_096),
      ua: headers.get('user-agent')?.slice(0, 1_024),
      referer: headers.get('referer')?.slice(0, 1_024),
      status,
      signature_agent: headers.get('signature-agent') ?? undefined,
      signature_input: headers.get('signature-input') ?? undefined,
      signature: headers.get('signature') ?? undefined,
    })
    for (const seconds of [1, 4, 0]) {
      const answer = await fetch(ingest, {
        method: 'POST',
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(3_000),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      }).catch(() => null)
      const wait = Math.max(seconds, Number(answer?.headers.get('retry-after')) || 0)
      if (seconds === 0 || wait > 10 || (answer && answer.status < 500 && answer.status !== 429)) return
      await new Promise((resolve) => setTimeout(resolve, wait * 1_000))
    }
  } catch {
  } finally {
    waiting--
  }
}

export default {
  async fetch(request, env, context) {
    // If this Worker fails, Cloudflare answers as if it was not there.
    context.passThroughOnException()
    const response = await fetch(request)
    if (isAgent(request)) {
      const { headers } = request
      const token = env.RENOWN_FORWARDER_TOKEN ?? env.RENOWN_TOKEN
      const hit = { ip: headers.get('cf-connecting-ip'), id: headers.get('cf-ray'), status: response.status }
      context.waitUntil(report(request, token, hit))
    }
    return response
  },
}
