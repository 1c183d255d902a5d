// Bundles index.js as React Native does, and prints what it says without `crypto`, and with the part that the polyfill adds.
const Metro = require('metro');
const vm = require('node:vm');

async function main() {
  const config = await Metro.loadConfig(
    {},
    {
      projectRoot: __dirname,
      reporter: { update() {} },
      cacheStores: [],
      maxWorkers: 1,
      resolver: { useWatchman: false },
      transformer: {
        babelTransformerPath: require.resolve('@react-native/metro-babel-transformer'),
      },
    },
  );
  const { code } = await Metro.runBuild(config, {
    entry: 'index.js',
    dev: false,
    minify: true,
    platform: 'ios',
    out: undefined,
  });
  const describe = (globals) => {
    const context = vm.createContext(globals);
    vm.runInContext(code, context);
    return context.describe();
  };
  const polyfill = { getRandomValues: (bytes) => crypto.getRandomValues(bytes) };
  const seen = {
    'without crypto': await describe({}),
    'with the polyfill': await describe({ crypto: polyfill }),
  };
  console.log(JSON.stringify(seen));
}

void main();
