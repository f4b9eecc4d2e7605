import { describe, expect, test } from 'bun:test'
import { definePlugin, defineSettings, setting, settingForm } from '../../core/doors/front'
import { readConfig } from '../../core/process/config'
import { createRegistry } from '../../core/registry/registry'
import { startGate } from '../support/harness'

const shop = defineSettings({
  SHOP_URL: setting(settingForm.text, 'https://shop.example', 'The shop.'),
  SHOP_CALLS_PER_DAY: setting(settingForm.count, '10', 'Calls a day.'),
})
const plugin = definePlugin({ name: 'shop', renown: '^1.0.0', settings: shop })

describe('the settings of a plugin', () => {
  test('come from the environment, checked and typed', async () => {
    const gate = await startGate({ plugins: [plugin], settings: { SHOP_CALLS_PER_DAY: '25' } })
    const { SHOP_URL, SHOP_CALLS_PER_DAY } = shop.of(gate.owner)
    expect([SHOP_URL, SHOP_CALLS_PER_DAY]).toEqual(['https://shop.example', 25])
    await gate.stop()
  })

  test('are named with those of core when they cannot be used', () => {
    const read = () => readConfig({ PORT: 'x', SHOP_CALLS_PER_DAY: 'many' }, shop.declared)
    expect(read).toThrow('SHOP_CALLS_PER_DAY: expected a whole number\n  PORT: expected a port number')
  })

  test('cannot be read where the plugin does not list them', () => {
    expect(() => shop.of({ settings: readConfig({}) })).toThrow('The setting SHOP_URL was not read')
  })

  test('stop the start when they take a name of core, of another plugin, or refuse their default', () => {
    const wrong = defineSettings({
      PORT: setting(settingForm.text, '', 'Taken.'),
      'shop-url': setting(settingForm.text, '', 'Wrong case.'),
      SHOP_URL: setting(settingForm.count, 'none', 'Twice.'),
    })
    const register = () => createRegistry([plugin, definePlugin({ ...plugin, name: 'b', settings: wrong })])
    for (const words of [
      'b: the setting PORT already belongs to core',
      'b: setting name "shop-url" is not UPPER_SNAKE_CASE',
      'the default of setting SHOP_URL does not match its schema',
      'both shop and b declare the setting SHOP_URL',
    ])
      expect(register).toThrow(words)
  })
})
