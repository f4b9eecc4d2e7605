/** What a path of a website answers: a page of HTML, or whatever a test makes. */
export type Answered = string | ((request: Request) => Response | Promise<Response>)

export interface WebsiteStandIn {
  /** By path. What is not here is 404. */
  readonly pages: Map<string, Answered>
  /** Paths that were asked for, in order, with the name that asked. */
  readonly asked: { readonly host: string; readonly path: string; readonly agent: string }[]
  readonly port: number
  stop(): Promise<void>
}

/** A website of a stranger's on a real socket of this machine, under whatever name leads there. */
export function serveWebsite(pages: Readonly<Record<string, Answered>> = {}): WebsiteStandIn {
  const site = new Map(Object.entries(pages))
  const asked: { host: string; path: string; agent: string }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 5,
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      const { headers } = request
      const host = headers.get('host') ?? ''
      asked.push({ host, path: `${pathname}${search}`, agent: headers.get('user-agent') ?? '' })
      const page = site.get(`${pathname}${search}`) ?? site.get(pathname)
      if (page === undefined) return new Response('nothing here', { status: 404 })
      if (typeof page !== 'string') return page(request)
      return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
    },
  })
  return { pages: site, asked, port: server.port ?? 0, stop: () => server.stop(true) }
}
