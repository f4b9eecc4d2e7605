/** One address of the authorization server. */
interface OAuthRoute {
  readonly paths: readonly [string, ...string[]]
  readonly methods: readonly ('GET' | 'HEAD' | 'POST')[]
  /** Programs get answers from the server itself, people from the pages in core/web/pages/oauth. */
  readonly for: 'programs' | 'people'
}

const resource = '/.well-known/oauth-protected-resource'
const read = ['GET', 'HEAD'] as const

/** Every address of the authorization server. The gateway, the metadata and the pages take their paths from here. */
export const oauthRoutes = {
  /** RFC 8414. */
  server: { paths: ['/.well-known/oauth-authorization-server'], methods: read, for: 'programs' },
  /** RFC 9728. Clients request it with and without the path of the resource. */
  resource: {
    paths: [`${resource}/api/mcp`, `${resource}/api/mcp/`, resource, `${resource}/`],
    methods: read,
    for: 'programs',
  },
  /** RFC 7591. */
  register: { paths: ['/oauth/register'], methods: ['POST'], for: 'programs' },
  token: { paths: ['/oauth/token'], methods: ['POST'], for: 'programs' },
  /** RFC 7009. */
  revoke: { paths: ['/oauth/revoke'], methods: ['POST'], for: 'programs' },
  authorize: { paths: ['/oauth/authorize'], methods: ['GET'], for: 'people' },
  consent: { paths: ['/oauth/consent'], methods: ['GET', 'POST'], for: 'people' },
} as const satisfies Readonly<Record<string, OAuthRoute>>

type Routes = typeof oauthRoutes

/** The addresses for programs. */
export type ProgramRoute = {
  [K in keyof Routes]: Routes[K]['for'] extends 'programs' ? K : never
}[keyof Routes]

/** Returns the path of an address. */
export const oauthPath = (route: keyof Routes): string => oauthRoutes[route].paths[0]

/** The paths of the pages for people. */
export const oauthPagePaths: readonly string[] = Object.values(oauthRoutes).flatMap((route) =>
  route.for === 'people' ? [...route.paths] : [],
)
