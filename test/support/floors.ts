/** The rooms of one folder, from the top floor to the ground. A room imports rooms below it, never beside or above. */
interface Floors {
  readonly top: string
  readonly rooms: readonly string[]
  /** Every folder must have its floor, and no room imports a file that lies loose beside the rooms. */
  readonly isComplete: boolean
  /** The files that may lie loose beside the rooms. Default: any. */
  readonly loose?: readonly string[]
}

export const floors: readonly Floors[] = [
  {
    top: 'core',
    rooms: [
      'doors',
      'cli',
      'product',
      'web',
      'mcp',
      'http',
      'skills',
      'transfer',
      'demo',
      'connections',
      'auth',
      'contexts',
      'tenancy',
      'requests',
      'jobs',
      'outbound',
      'events',
      'stores',
      'query',
      'registry',
      'drafts',
      'kit',
      'work',
      'supervise',
      'process',
      'contracts',
    ],
    isComplete: true,
    loose: ['main.ts'],
  },
  {
    top: 'core/web',
    rooms: ['pages', 'frame', 'framework', 'kit'],
    isComplete: true,
    loose: [],
  },
  {
    top: 'core/web/pages',
    rooms: [
      'public',
      'design',
      'docs',
      'home',
      'start',
      'clients',
      'demo',
      'notifications',
      'proposals',
      'settings',
      'inbox',
      'oauth',
      'account',
      'sign-in',
    ],
    isComplete: true,
    loose: ['app.ts'],
  },
  {
    top: 'core/web/kit',
    rooms: ['client', 'charts', 'parts', 'browser', 'style', 'jsx'],
    isComplete: true,
    loose: [],
  },
  {
    top: 'ingest',
    rooms: ['control', 'http', 'sample', 'count', 'flush', 'journal', 'judge', 'parse', 'sites', 'data'],
    isComplete: true,
  },
  {
    top: 'plugins/reviews',
    rooms: [
      'cards',
      'report',
      'demo',
      'operations',
      'acts',
      'reply',
      'verify',
      'sync',
      'writing',
      'due',
      'evidence',
      'analysis',
      'proof',
      'sources',
      'records',
      'words',
    ],
    isComplete: false,
  },
  {
    top: 'plugins/traffic',
    rooms: [
      'cards',
      'report',
      'alerts',
      'demo',
      'install',
      'pages',
      'operations',
      'senders',
      'wordpress',
      'look',
      'sealing',
      'access',
      'sums',
      'sites',
      'registry',
      'records',
      'words',
    ],
    isComplete: false,
  },
  {
    top: 'plugins/reports',
    rooms: [
      'pages',
      'cards',
      'demo',
      'schedules',
      'share',
      'mail',
      'verify',
      'making',
      'operations',
      'acts',
      'files',
      'forms',
      'pdf',
      'html',
      'charts',
      'data',
      'templates',
      'blocks',
      'branding',
      'records',
      'words',
    ],
    isComplete: false,
  },
  {
    top: 'plugins/enrichment',
    rooms: ['cards', 'work', 'profile', 'listing', 'website'],
    isComplete: false,
  },
  {
    top: 'plugins/prospects',
    rooms: ['cards', 'audit', 'report', 'sections', 'website', 'records'],
    isComplete: false,
  },
  {
    top: 'plugins/locations',
    rooms: ['pages', 'cards', 'words'],
    isComplete: false,
  },
  {
    top: 'plugins/leads',
    rooms: [
      'cards',
      'report',
      'board',
      'pages',
      'demo',
      'operations',
      'replies',
      'drafts',
      'inbound',
      'tracking',
      'decisions',
      'finding',
      'dispatch',
      'judging',
      'keywords',
      'sources',
      'records',
      'words',
    ],
    isComplete: false,
  },
  {
    top: 'plugins/posts',
    rooms: [
      'cards',
      'report',
      'pages',
      'operations',
      'drafts',
      'approval',
      'acts',
      'demo',
      'feed',
      'publishing',
      'times',
      'content',
      'records',
      'words',
    ],
    isComplete: false,
  },
  {
    top: 'plugins/webhooks',
    rooms: ['pages', 'demo', 'acts', 'subscriptions', 'delivery', 'records', 'words'],
    isComplete: false,
  },
  {
    top: 'plugins/visibility',
    rooms: [
      'cards',
      'report',
      'pages',
      'demo',
      'alerts',
      'runs',
      'operations',
      'tracking',
      'journey',
      'sums',
      'rulers',
      'records',
      'engines',
      'detection',
      'measure',
      'words',
    ],
    isComplete: false,
  },
]

/** What is wrong with an import of one path by another, both from the project's root; null when nothing is. */
export const floorFault = (path: string, target: string): string | null =>
  first(floors, (place) => arrowFault(place, path, target))

function arrowFault({ top, rooms, isComplete }: Floors, path: string, target: string): string | null {
  if (!path.startsWith(`${top}/`) || !target.startsWith(`${top}/`)) return null
  const from = segmentOf(top, path)
  const to = segmentOf(top, target)
  const floor = rooms.indexOf(from)
  if (from === to || floor < 0) return null
  const below = rooms.indexOf(to)
  if (below > floor) return null
  if (below < 0) return isComplete ? `a room of ${top} imports rooms below it, and no loose file` : null
  return `${top}/${from} stands below ${top}/${to}: a room imports rooms below it`
}

/** What is wrong with where a file stands; null when nothing is. */
export const roomFault = (path: string): string | null => first(floors, (place) => standFault(place, path))

function standFault({ top, rooms, isComplete, loose }: Floors, path: string): string | null {
  if (!isComplete || !path.startsWith(`${top}/`)) return null
  const segment = segmentOf(top, path)
  if (path === `${top}/${segment}`) {
    if (loose === undefined || loose.includes(segment)) return null
    return `${top} has ${loose.length === 0 ? 'no loose file' : `one loose file, ${loose.join(', ')}`}: give this one a room`
  }
  return rooms.includes(segment) ? null : `the room has no floor: name it in test/support/floors.ts`
}

/** The first fault that a table of floors finds. */
function first(places: readonly Floors[], faultOf: (place: Floors) => string | null): string | null {
  for (const place of places) {
    const fault = faultOf(place)
    if (fault !== null) return fault
  }
  return null
}

const segmentOf = (top: string, path: string) => path.slice(top.length + 1).split('/', 1)[0] ?? ''
