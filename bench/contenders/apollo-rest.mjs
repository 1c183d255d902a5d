// Apollo Server with RESTDataSource, set up as in https://www.apollographql.com/docs/apollo-server/data/fetching-rest.
import { RESTDataSource } from '@apollo/datasource-rest';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { port, studyApiUrl } from './environment.mjs';
import { typeDefs } from './schema.mjs';

class StudyApi extends RESTDataSource {
  baseURL = studyApiUrl;

  constructor({ token, cache }) {
    super({ cache });
    this.token = token;
  }

  willSendRequest(_path, request) {
    request.headers.authorization = this.token;
  }

  study(id) {
    return this.get(`studies/${id}`);
  }

  studies(size) {
    return this.get('studies', { params: { size } });
  }

  createStudy(input) {
    return this.post('studies', { body: input });
  }

  editStudy(id, input) {
    return this.patch(`studies/${id}`, { body: input });
  }
}

const server = new ApolloServer({
  typeDefs,
  resolvers: {
    Query: {
      study: (_, { id }, { dataSources }) => dataSources.studyApi.study(id),
      studies: (_, { size }, { dataSources }) => dataSources.studyApi.studies(size),
    },
    Mutation: {
      createStudy: (_, { input }, { dataSources }) => dataSources.studyApi.createStudy(input),
      editStudy: (_, { id, input }, { dataSources }) => dataSources.studyApi.editStudy(id, input),
    },
  },
});

await startStandaloneServer(server, {
  listen: { host: '127.0.0.1', port },
  context: async ({ req }) => {
    const { cache } = server;
    const token = req.headers.authorization;
    return { dataSources: { studyApi: new StudyApi({ cache, token }) } };
  },
});
