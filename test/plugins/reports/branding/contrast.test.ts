import { expect, test } from 'bun:test'
import { contrastOf, readableColor } from '../../../../plugins/reports/branding/contrast'

const faultOf = (field: 'color' | 'color_dark', typed: string) => {
  try {
    return readableColor(field, typed)
  } catch (error) {
    return (error as { details: { errors: { pointer: string; message: string }[] } }).details.errors[0]
  }
}

test('the contrast of two colors is the one of WCAG 2', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 10)
  expect(contrastOf('#ffffff', '#ffffff')).toBe(1)
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrastOf('#ffffff', '#777777')).toBe(contrastOf('#777777', '#ffffff'))
})

test('a color that people can read is stored in one form', () => {
  expect([readableColor('color', ' 0F766E '), readableColor('color', '#06c')]).toEqual(['#0f766e', '#0066cc'])
  expect([readableColor('color_dark', '#2DD4BF'), readableColor('color', '  ')]).toEqual(['#2dd4bf', null])
})

test('one that they cannot read is refused with its contrast and the one that is needed', () => {
  expect(faultOf('color', '#777777')).toMatchObject({
    pointer: '/color',
    message: 'Text in #777777 has a contrast of 4.47:1 on white. It needs 4.5:1. Choose a darker color.',
  })
  expect(faultOf('color_dark', '#0f766e')).toMatchObject({
    pointer: '/color_dark',
    message: expect.stringContaining('on the dark background. It needs 4.5:1. Choose a lighter color.'),
  })
})

test.each(['red', '#12345', 'url(x)', '#0f766e;}', 'rgb(0,0,0)', '#gggggg'])('%s is no color', (typed) => {
  expect(faultOf('color', typed)).toMatchObject({ pointer: '/color' })
})
