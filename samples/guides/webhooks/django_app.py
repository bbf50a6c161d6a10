import os
import sys

import django
from django.conf import settings
from django.core.management import execute_from_command_line
from django.urls import path

settings.configure(DEBUG=False, ROOT_URLCONF=__name__, ALLOWED_HOSTS=["127.0.0.1"], SECRET_KEY="of this example only")
django.setup()

# #region django
from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from cowrie import NotVerified, SuccessfulTransaction, webhooks

seen = set()  # in a shop: a model with a unique field


@csrf_exempt  # the signature says who sent it
@require_POST
def hook(request):
    try:
        event = webhooks.verify(request.body, request.headers, [os.environ["COWRIE_SECRET_KEY"]])
    except NotVerified as error:
        print(error, file=sys.stderr)
        return HttpResponse(status=401)
    if event.id not in seen:  # the same event can come twice
        seen.add(event.id)
        if isinstance(event, SuccessfulTransaction) and event.event_data["paymentStatus"] == "PAID":
            print(f"{event.event_data['paymentReference']} is paid, {event.event_data['amountPaid']}", flush=True)
    return HttpResponse(status=200)


urlpatterns = [path("hook", hook)]
# #endregion

if __name__ == "__main__":
    execute_from_command_line(["manage", "runserver", "--noreload", f"127.0.0.1:{os.environ['PORT']}"])
