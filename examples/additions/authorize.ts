// Callers reach only the studies of the projects that their JWT names: { "projects": ["123e4567-…"] }.
import { startGateway, type Authorize } from 'study-gateway';

const authorize: Authorize = async ({ claims }, { operation, args, result, readStudy }) => {
  const { projects } = claims;
  const isOwn = (project: unknown): boolean =>
    Array.isArray(projects) && projects.includes(project);
  // An error shows the id alone.
  if (result) return isOwn(('projectId' in result ? result : await readStudy())?.projectId);

  const { input, projectId: listed } = args;
  if (operation === 'createStudy') return isOwn(input?.projectId);
  if (operation === 'studies') return listed?.every(isOwn) ?? false;
  if (operation === 'editStudy') {
    const isMoved = input?.projectId !== undefined;
    return isOwn((await readStudy())?.projectId) && (!isMoved || isOwn(input.projectId));
  }
  // What these read is asked for above, study by study.
  return operation === 'study' || operation === '_entities';
};

const { url, close } = await startGateway(process.env, { authorize });
console.log(`GraphQL is at ${url}/graphql`);
process.once('SIGTERM', () => void close());
