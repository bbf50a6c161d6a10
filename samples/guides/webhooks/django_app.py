import os

import django
from django.conf import settings
from django.core.management import execute_from_command_line

settings.configure(
    DEBUG=False,
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["127.0.0.1"],
    SECRET_KEY="of this example only",
    DATA_UPLOAD_MAX_MEMORY_SIZE=5 * 1024 * 1024,
)
django.setup()

# #region django
import os
import sys

from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from cowrie_client import NotVerified, webhooks
from fulfil import take


# In settings.py: DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
@csrf_exempt  # the signature says who sent it
@require_POST
def hook(request):
    try:
        event = webhooks.verify(request.body, request.headers, [os.environ["COWRIE_SECRET_KEY"]])
    except NotVerified as error:
        print(error, file=sys.stderr)
        return HttpResponse(status=401)
    take(event)
    return HttpResponse(status=200)


urlpatterns = [path("hook", hook)]
# #endregion

if __name__ == "__main__":
    execute_from_command_line(["manage", "runserver", "--noreload", f"127.0.0.1:{os.environ['PORT']}"])
