import { createRequire } from 'node:module';
import { getMetadataStorage } from 'type-graphql';
import { ConfigError } from '../config/config.js';

// The bundle of the image leaves this file out: codegen/bundle/build.ts gives it one copy of each package.

/**
 * Two copies of a package do not know each other's classes. All copies of type-graphql use the storage of the first.
 *
 * @throws ConfigError if there are two copies of graphql, or another type-graphql was loaded before the gateway's
 */
function checkCopies(): void {
  const { resolve } = createRequire(import.meta.url);
  const own = resolve('graphql');
  for (const name of ['type-graphql', 'graphql-scalars', '@apollo/server']) {
    const other = createRequire(resolve(name)).resolve('graphql');
    if (other !== own)
      throw new ConfigError(`Install graphql once: ${name} uses ${other}, the gateway ${own}.`);
  }
  const storage = getMetadataStorage();
  Reflect.deleteProperty(globalThis, 'TypeGraphQLMetadataStorage');
  const isOwn = storage instanceof getMetadataStorage().constructor;
  Reflect.set(globalThis, 'TypeGraphQLMetadataStorage', storage);
  if (!isOwn)
    throw new ConfigError(`Install type-graphql once: ${resolve('type-graphql')} is the second.`);
}

checkCopies();
