import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clientsFolder, packagesFolder } from './clients'
import { isWriting } from './golden-mode'
import { packagesAreThere } from './packed'
import { findProgram, rootOf } from './programs'

/** Something from outside the repository that a test cannot do without. */
interface Need {
  readonly isThere: () => boolean
  /** How to have it, for the closing summary. */
  readonly how: string
  /** Whether apt or npm installs it. Where `RENOWN_TOOLS=required`, a missing one fails instead of being skipped. */
  readonly isInstallable: boolean
}

const program = (name: string, aptPackage = name): Need => ({
  isThere: () => findProgram(name) !== null,
  how: `apt-get install ${aptPackage}`,
  isInstallable: true,
})

/** Everything that tests may need. `.ci/run` installs what is installable. */
export const needs = {
  chromium: program('chromium'),
  nginx: program('nginx'),
  caddy: { ...program('caddy'), how: 'run .ci/test-programs node_modules/.cache/test-programs' },
  haproxy: { ...program('haproxy'), how: 'run .ci/test-programs node_modules/.cache/test-programs' },
  apache2: { ...program('apache2'), how: 'run .ci/test-programs node_modules/.cache/test-programs' },
  lighttpd: { ...program('lighttpd'), how: 'run .ci/test-programs node_modules/.cache/test-programs' },
  // It compiles its configuration.
  varnishd: {
    isThere: () => findProgram('varnishd') !== null && findProgram('gcc') !== null,
    how: 'run .ci/test-programs node_modules/.cache/test-programs, and apt-get install gcc',
    isInstallable: true,
  },
  'syslog-ng': { ...program('syslog-ng'), how: 'run .ci/test-programs node_modules/.cache/test-programs' },
  curl: program('curl'),
  flock: program('flock', 'util-linux'),
  fallocate: program('fallocate', 'util-linux'),
  git: program('git'),
  'a git checkout': {
    isThere: () => existsSync(join(import.meta.dir, '../../.git')),
    how: 'run the tests in a clone of the repository',
    isInstallable: false,
  },
  npx: program('npx', 'npm'),
  openssl: program('openssl'),
  php: program('php', 'php-cli'),
  python3: program('python3'),
  sed: program('sed'),
  sh: program('sh', 'dash'),
  zstdcat: program('zstdcat', 'zstd'),
  'MCP clients': {
    isThere: () => clientsFolder() !== null,
    how: 'let npm packages be downloaded: the first test installs test/support/clients into node_modules/.cache',
    isInstallable: true,
  },
  node: program('node', 'nodejs'),
  'Express, Fastify and Hono': {
    isThere: () => packagesFolder('frameworks') !== null,
    how: 'let npm packages be downloaded: the first test installs test/support/frameworks into node_modules/.cache',
    isInstallable: true,
  },
  Django: {
    isThere: () => existsSync('/usr/lib/python3/dist-packages/django'),
    how: 'apt-get install python3-django gunicorn',
    isInstallable: false,
  },
  'Rails and Puma': {
    isThere: () =>
      findProgram('puma') !== null && existsSync('/usr/share/rubygems-integration/all/specifications'),
    how: 'apt-get install ruby-railties ruby-actionpack puma',
    isInstallable: false,
  },
  Laravel: {
    isThere: () => existsSync('/usr/share/php/Illuminate/Foundation') && existsSync('/usr/sbin/php-fpm8.2'),
    how: 'apt-get install php-laravel-framework php8.2-fpm',
    isInstallable: false,
  },
  'Next.js': {
    // 340 MB, which only the long run downloads.
    isThere: () => process.env.RENOWN_LONG !== '1' || packagesFolder('next') !== null,
    how: 'let npm packages be downloaded: the long run installs test/support/next into node_modules/.cache',
    isInstallable: true,
  },
  'npm packages': {
    isThere: packagesAreThere,
    how: 'let npm packages be downloaded, or fill the cache of bun: `bun add` of the packed product in an empty folder',
    isInstallable: true,
  },
  MongoDB: {
    isThere: () => Boolean(process.env.RENOWN_TEST_MONGODB_URI),
    how: 'set RENOWN_TEST_MONGODB_URI to a MongoDB server',
    isInstallable: false,
  },
  'whole address lists': {
    isThere: () => existsSync(process.env.RENOWN_TEST_RANGES ?? ''),
    how: "set RENOWN_TEST_RANGES to a folder with a mirror of the operators' address lists",
    isInstallable: false,
  },
  WordPress: {
    isThere: () =>
      ['mariadbd', 'php-fpm8.2'].every((name) => findProgram(name) !== null) &&
      existsSync(join(rootOf(findProgram('mariadbd') ?? '') || '/', 'usr/share/wordpress')),
    how: 'run .ci/test-wordpress node_modules/.cache/test-programs',
    isInstallable: false,
  },
  'a long run': {
    isThere: () => process.env.RENOWN_LONG === '1' || isWriting,
    how: 'RENOWN_LONG=1 (bun run long)',
    isInstallable: false,
  },
} as const satisfies Record<string, Need>

export type NeedName = keyof typeof needs
