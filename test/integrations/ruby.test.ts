import { describe, expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyIntegration } from '../support/app-road'
import { appTests, type StartApp } from '../support/app-suite'
import { runProgram } from '../support/clients'
import { countedNames } from '../support/integration-files'
import { testWith } from '../support/needs'
import { freePort } from '../support/programs'

const rails = `require "action_controller/railtie"
require_relative "renown"
class App < Rails::Application
  config.middleware.insert_before 0, Renown::Middleware
  config.eager_load = false
  config.secret_key_base = "x"
  config.logger = Logger.new($stderr, level: :fatal)
end
class PagesController < ActionController::Base
  def show = render(plain: "page")
end
App.initialize!
App.routes.draw { get "/page/:n", to: "pages#show" }
run App
`

const rack = `require_relative "renown"
use Renown::Middleware
run ->(env) { env["PATH_INFO"].start_with?("/page/") ? [200, {}, ["page"]] : [404, {}, []] }
`

/** Starts Puma with the file of the set-up page beside the app. */
const pumaApp =
  (app: string, options: readonly string[] = []): StartApp =>
  async (road) => {
    copyIntegration('ruby/renown.rb', join(road.folder, 'renown.rb'), {
      'BATCH_MAX, DELAY = 500, 1.0': 'BATCH_MAX, DELAY = 500, 0.05',
      'TIMEOUT, WAIT_MAX = 5.0, 60.0': 'TIMEOUT, WAIT_MAX = 2.0, 0.5',
    })
    writeFileSync(join(road.folder, 'config.ru'), app)
    const port = await freePort()
    const puma = `exec puma -b tcp://127.0.0.1:${port} -t 1:4 ${options.join(' ')} config.ru`
    const started = await road.start(['sh', '-c', `echo listening ${port}; ${puma}`], {
      RAILS_ENV: 'production',
    })
    await started.ready()
    return started
  }

const apps: Readonly<Record<string, StartApp>> = {
  Rack: pumaApp(rack),
  Rails: pumaApp(rails),
  'Rack in two processes of Puma': pumaApp(rack, ['-w', '2', '--preload']),
}

describe.each(Object.entries(apps))('an app with %s', (name, start) => {
  for (const [title, work] of Object.entries(appTests(start)))
    testWith('Rails and Puma', 'sh', ...(name === 'Rack' ? [] : (['a long run'] as const)))(
      title,
      work,
      180_000,
    )
})

testWith('Rails and Puma')('the file for Ruby selects every agent of the registry', async () => {
  const file = join(import.meta.dir, '../../integrations/ruby/renown.rb')
  const code = `require ARGV[0]; puts JSON.parse(ARGV[1]).reject { |name| Renown::AGENTS.match?(name) }.inspect`
  const { stdout } = await runProgram(['ruby', '-e', code, file, JSON.stringify(countedNames())])
  expect(stdout.trim()).toBe('[]')
})
