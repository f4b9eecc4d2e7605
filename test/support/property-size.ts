import fc from 'fast-check'

// Without it a property with `maxLength: 150` draws 10 elements at most. Loaded before every test file, by bunfig.toml.
fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true })
